import { listTemplates, pathOfKind } from '@usher/domain';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { randomRuns } from '../../../../domain/test/random-runs.ts';
import { accountRows } from '../../../test/account-rows.ts';
import { type Api, startApi } from '../../../test/api.ts';
import { makeSeenProfile } from '../../../test/delivery-path.ts';
import { addSignedIn, addToAccount } from '../../../test/sign-in.ts';

let api: Api;
let clock: () => number;
beforeAll(async () => {
  api = await startApi({ inTest: false });
  clock = api.app.now;
});
beforeEach(async () => {
  api.app.now = clock;
  await api.replaceAccounts();
});
afterAll(() => api.stop());

// biome-ignore lint/suspicious/noExplicitAny: tests inspect JSON of any shape
type Shown = any;
const LIST = '/v3/edit/experiences';
const unknownId = 'f'.repeat(24);
const steps = [{ title: 'Hello', buttons: [{ text: 'Go' }] }];

async function add(name: string, params: object = {}, path = 'tours'): Promise<Shown> {
  const { status, body } = await api.post(`/v3/edit/${path}`, { name, ...(path === 'tours' && { steps }), ...params });
  expect([status, body.messages]).toEqual([201, undefined]);
  return Object.values(body)[0];
}
async function change(id: string, params: object): Promise<Shown> {
  const { status, body } = await api.patch(`/v3/edit/tours/${id}`, params);
  expect([status, body.messages]).toEqual([200, undefined]);
  return body.tour;
}
async function list(query = '', as = api.account): Promise<{ experiences: Shown[]; cursor: Shown }> {
  const { status, body } = await api.get(LIST, { query, as });
  expect([status, body.messages]).toEqual([200, undefined]);
  return body;
}
const names = async (query: string) => (await list(query)).experiences.map(({ name }) => name);
async function make(path: string, params: object): Promise<string> {
  return (Object.values((await api.post(`/v3/edit/${path}`, params)).body)[0] as { id: string }).id;
}

describe('list of Experiences', () => {
  it('filters by kind, name, Environment, Segment and Tag', async () => {
    const [group, segment, tag] = [
      await make('url_groups', { name: 'Staging' }),
      await make('segments', { name: 'Pro', items: [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }] }),
      await make('tags', { name: 'Onboarding' }),
    ];
    await add('Welcome', { url_group_ids: [group] });
    await add('ÉTÉ 100%_of it', { segment_ids: [segment] });
    await add('Left out', { excluded_segment_ids: [segment], tag_ids: [tag] });
    await add('Help', {}, 'launchers');
    expect(await names('kind=launcher')).toEqual(['Help']);
    expect(await names(`url_group_id=${group}`)).toEqual(['Welcome']);
    expect(await names(`segment_id=${segment}`)).toEqual(['Left out', 'ÉTÉ 100%_of it']);
    expect(await names(`tag_id=${tag}&segment_id=${segment}`)).toEqual(['Left out']);
    expect(await names(`search=${encodeURIComponent('été 100%_')}`)).toEqual(['ÉTÉ 100%_of it']);
    expect(await names('search=ELC')).toEqual(['Welcome']);
    expect(await names(`search=${encodeURIComponent('e_c')}`)).toEqual([]);
    expect((await api.get(LIST, { query: `tag_id=${unknownId}` })).status).toBe(404);
  });

  it('filters by state, and a draft that was published before is paused', async () => {
    const now = clock();
    const made: Record<string, Shown> = {};
    for (const name of ['draft', 'live', 'scheduled', 'ended', 'paused', 'archived', 'unscheduled'])
      made[name] = await add(name);
    await change(made.live.id, { published_at: '$now' });
    await change(made.scheduled.id, { published_at: '+1d' });
    await change(made.ended.id, { published_at: '$now', published_until: '+1h' });
    await change(made.paused.id, { published_at: '$now' });
    const paused = await change(made.paused.id, { published_at: null });
    expect([paused.state, Date.parse(paused.paused_at) >= now - 1]).toEqual(['draft', true]);
    await change(made.archived.id, { published_at: '$now', archived_at: '$now' });
    await change(made.unscheduled.id, { published_at: '+1d' });
    await change(made.unscheduled.id, { published_at: null });
    api.app.now = () => now + 2 * 3_600_000;
    const found: Record<string, string[]> = {};
    for (const state of ['draft', 'live', 'scheduled', 'ended', 'paused', 'archived'])
      found[state] = await names(`state=${state}`);
    expect(found).toEqual({
      draft: ['unscheduled', 'draft'],
      live: ['live'],
      scheduled: ['scheduled'],
      ended: ['ended'],
      paused: ['paused'],
      archived: ['archived'],
    });
  });

  it('pages through every order without missing or repeating one', async () => {
    const made = [];
    for (const name of ['b', 'A', 'c', 'a', 'a,:%', 'B']) made.push(await add(name));
    await change(made[2].id, { position: 5 });
    const orders = {
      name: ['A', 'a', 'a,:%', 'b', 'B', 'c'],
      position: ['b', 'A', 'a', 'a,:%', 'B', 'c'],
      updated_at: ['c', 'B', 'a,:%', 'a', 'A', 'b'],
      started_count: ['B', 'a,:%', 'a', 'c', 'A', 'b'],
      created_at: ['B', 'a,:%', 'a', 'c', 'A', 'b'],
    };
    for (const [order, expected] of Object.entries(orders)) {
      const seen: string[] = [];
      let before = '';
      do {
        const { experiences, cursor } = await list(
          `order=${order}&fields=list&limit=2${before && `&before=${encodeURIComponent(before)}`}`,
        );
        seen.push(...experiences.map(({ name }) => name));
        before = cursor.before;
      } while (before);
      expect([order, seen]).toEqual([order, expected]);
    }
  });

  it('rejects a cursor of another order', async () => {
    for (const name of ['a', 'b']) await add(name);
    const { cursor } = await list('order=name&limit=1');
    for (const query of [
      `order=position&before=${encodeURIComponent(cursor.before)}`,
      `before=${encodeURIComponent(cursor.before)}`,
      `order=updated_at&before=${encodeURIComponent(`updated_at:x:${unknownId}`)}`,
      `order=name&before=${unknownId}`,
      `order=name&after=${unknownId}`,
      'trend=true',
      'state=gone',
    ]) {
      const { status } = await api.get(LIST, { query });
      expect([query, status]).toEqual([query, 422]);
    }
  });

  it('rejects a cursor with values that no row can have', async () => {
    await add('a');
    for (const cursor of [
      ...['1e400', '1.5', '9999999999999999999', '-Infinity', 'NaN'].flatMap((value) => [
        `position:${value},a`,
        `updated_at:${value}`,
        `started_count:${value}`,
      ]),
      ...['position:0,%00', 'name:%00'],
    ]) {
      const [order] = cursor.split(':');
      const { status } = await api.get(LIST, {
        query: `order=${order}&before=${encodeURIComponent(`${cursor}:${unknownId}`)}`,
      });
      expect([cursor, status]).toEqual([cursor, 422]);
    }
  });

  it('shows without its content who changed it last, the trend and unpublished changes', async () => {
    const tour = await add('Tour', { published_at: '$now' });
    const editor = await addSignedIn(api, 'editor', { email: 'eve@acme.test' });
    await editor.browser.patch(`/v3/edit/tours/${tour.id}`, { steps: [{ title: 'Changed' }] });
    const { experiences } = await list('fields=list&trend=true');
    const [shown] = experiences;
    expect(shown).toMatchObject({ id: tour.id, state: 'live', has_unpublished_changes: true, paused_at: null });
    expect(shown.changed_by.email).toBe('eve@acme.test');
    expect(shown.trend).toEqual(Array(30).fill(0));
    expect(Object.keys(shown)).not.toContain('steps');
  });

  it('does not call a new Tag, place or end an unpublished change', async () => {
    const tag_ids = [await make('tags', { name: 'New' })];
    const { id } = await add('Tour', { published_at: '$now' });
    expect(await change(id, { tag_ids, position: 4, published_until: '+5d' })).toMatchObject({
      has_unpublished_changes: false,
    });
    expect(await change(id, { name: 'Other' })).toMatchObject({ has_unpublished_changes: true });
    expect(await change(id, { published_at: '$now' })).toMatchObject({ has_unpublished_changes: false });
  });
});

describe('order of priority', () => {
  const ordered = () => names('order=position');
  const move = (params: object) => api.patch(`${LIST}/order`, params);

  it('equals a list in which the same moves are made', async () => {
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) ids.push((await add(name)).id);
    await change(ids[4] as string, { position: 7 });
    const model = [...ids];
    const moves = fc.array(fc.tuple(fc.nat(4), fc.nat(3), fc.boolean()), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(moves, async (all) => {
        for (const [from, to, isBefore] of all) {
          const [id] = model.splice(from, 1) as [string];
          const neighbor = model[to] as string;
          const { status } = await move({ id, [isBefore ? 'before_id' : 'after_id']: neighbor });
          expect(status).toBe(200);
          model.splice(isBefore ? to : to + 1, 0, id);
        }
        expect((await list('order=position')).experiences.map(({ id }) => id)).toEqual(model);
      }),
      { numRuns: randomRuns(8) },
    );
  });

  /** Makes two Experiences with the same sort key, in the order x, y, a, z. */
  async function addTied() {
    const [a, x, y, z] = [await add('a'), await add('x'), await add('y'), await add('z')].map(({ id }) => id);
    await move({ id: x, before_id: a });
    await change(x, { position: 1 });
    await move({ id: y, before_id: a });
    await change(x, { position: 0 });
    expect(await ordered()).toEqual(['x', 'y', 'a', 'z']);
    return { a, x, y, z };
  }

  it('moves between two Experiences that have the same sort key', async () => {
    const { y, z } = await addTied();
    expect((await move({ id: z, before_id: y })).status).toBe(200);
    expect(await ordered()).toEqual(['x', 'z', 'y', 'a']);
    await add('new');
    expect(await ordered()).toEqual(['x', 'z', 'y', 'a', 'new']);
  });

  it('moves one of two Experiences that have the same sort key before the other', async () => {
    const { x, y } = await addTied();
    expect((await move({ id: y, before_id: x })).status).toBe(200);
    expect(await ordered()).toEqual(['y', 'x', 'a', 'z']);
  });

  it('gives each a sort key of its own when several people move at the same time', async () => {
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) ids.push((await add(name)).id);
    const [first, second, ...others] = ids as [string, string, ...string[]];
    for (let round = 0; round < 5; round++) {
      const moved = await Promise.all(
        others.map((id, index) => move({ id, ...(index % 2 ? { before_id: second } : { after_id: first }) })),
      );
      expect(moved.map(({ status }) => status)).toEqual(others.map(() => 200));
      const rows = await api.app.storage
        .reader(api.account.account_id)
        .selectFrom('experiences')
        .select('sort_key')
        .where('account_id', '=', api.account.account_id)
        .execute();
      expect(new Set(rows.map(({ sort_key }) => sort_key)).size).toBe(ids.length);
      const order = (await list('order=position')).experiences.map(({ id }) => id);
      expect([order[0], order.at(-1)]).toEqual([first, second]);
    }
  });

  it('keeps sort keys short after any number of moves to one place', async () => {
    const { account_id } = api.account;
    const [a, b, c] = [await add('a'), await add('b'), await add('c')].map(({ id }) => id);
    await api.app.storage.write(account_id, (db) =>
      db
        .updateTable('experiences')
        .set({ sort_key: `${'0'.repeat(199)}1` })
        .where('account_id', '=', account_id)
        .where('id', '=', a)
        .execute(),
    );
    expect((await move({ id: c, before_id: a })).status).toBe(200);
    expect((await move({ id: b, after_id: c })).status).toBe(200);
    expect(await ordered()).toEqual(['c', 'b', 'a']);
    const rows = await api.app.storage
      .reader(account_id)
      .selectFrom('experiences')
      .select('sort_key')
      .where('account_id', '=', account_id)
      .execute();
    expect(Math.max(...rows.map(({ sort_key }) => sort_key.length))).toBeLessThan(30);
  });

  it('takes effect for page loads immediately, without publishing, and is in the history', async () => {
    const [first, second] = [
      await add('first', { published_at: '$now' }),
      await add('second', { published_at: '$now' }),
    ];
    const { account_id } = api.account;
    const live = async () => {
      const row = await api.app.storage
        .reader(account_id)
        .selectFrom('published_versions')
        .select('version')
        .where('account_id', '=', account_id)
        .executeTakeFirstOrThrow();
      const account = await api.app.publishedCache.atVersion(account_id, row.version);
      return account?.liveExperiences(api.app.now()).map(({ id }) => id);
    };
    expect(await live()).toEqual([first.id, second.id]);
    const { body } = await move({ id: second.id, before_id: first.id });
    expect(body.experience).toMatchObject({ id: second.id, has_unpublished_changes: false });
    expect(await live()).toEqual([second.id, first.id]);
    expect(await ordered()).toEqual(['second', 'first']);
    const { body: history } = await api.get(`/v3/edit/tours/${second.id}/changes`, { query: 'limit=1' });
    expect(history.changes[0]).toMatchObject({ kind: 'related', path: 'order', object: { position: [1, 0] } });
    await change(second.id, { position: 9 });
    expect(await live()).toEqual([first.id, second.id]);
  });

  it('rejects an unknown Experience, itself, and two neighbors or none', async () => {
    const [a, b] = [(await add('a')).id, (await add('b')).id];
    const before = await accountRows(api.app, api.account.account_id);
    expect((await move({ id: a, before_id: unknownId })).status).toBe(404);
    expect((await move({ id: unknownId, before_id: a })).status).toBe(404);
    for (const params of [{ id: a }, { id: a, before_id: a }, { id: a, before_id: b, after_id: b }])
      expect((await move(params)).status).toBe(422);
    expect(await accountRows(api.app, api.account.account_id)).toEqual(before);
  });
});

describe('batch of Experiences', () => {
  const batch = (params: object) => api.patch(`${LIST}/batch`, params);

  it('tags, archives and restores all of them', async () => {
    const tag = await make('tags', { name: 'Old' });
    const ids = [(await add('a')).id, (await add('b', {}, 'launchers')).id];
    const { status, body } = await batch({ ids, tag_id: `+${tag}` });
    expect([status, body.experiences.map(({ tag_ids }: Shown) => tag_ids)]).toEqual([200, [[tag], [tag]]]);
    await batch({ ids, archived_at: '$now' });
    expect(await names('state=archived')).toEqual(['b', 'a']);
    await batch({ ids, archived_at: null, tag_id: `-${tag}` });
    expect([await names('archived=true'), await names(`tag_id=${tag}`)]).toEqual([[], []]);
  });

  it('changes none if one is unknown, of another account, or must not be changed', async () => {
    const { id } = await add('a');
    const live = await add('b', { published_at: '$now' });
    const foreign = await api.post('/v3/edit/tours', { name: 'Foreign' }, { as: api.other });
    await api.patch('/v3/edit/account', { who_may_publish: 'owners' });
    const editor = await addSignedIn(api, 'editor');
    const before = await accountRows(api.app, api.account.account_id);
    expect((await batch({ ids: [id, unknownId], archived_at: '$now' })).status).toBe(404);
    expect((await batch({ ids: [id, foreign.body.tour.id], archived_at: '$now' })).status).toBe(404);
    expect((await batch({ ids: [id], tag_id: `+${unknownId}` })).status).toBe(404);
    expect((await batch({ ids: [id] })).status).toBe(422);
    expect((await batch({ ids: [], archived_at: '$now' })).status).toBe(422);
    const refused = await editor.browser.patch(`${LIST}/batch`, { ids: [id, live.id], archived_at: '$now' });
    expect(refused.status).toBe(403);
    expect(await accountRows(api.app, api.account.account_id)).toEqual(before);
  });
});

describe('pause and resume', () => {
  it('publishes what users saw, and keeps the changes of the draft', async () => {
    const { id } = await add('Tour', { published_at: '$now' });
    await change(id, { published_at: null });
    await change(id, { steps: [{ title: 'Not ready' }] });
    const { status, body } = await api.post(`/v3/edit/tours/${id}/resume`);
    expect([status, body.tour]).toMatchObject([
      200,
      { state: 'live', paused_at: null, has_unpublished_changes: true, steps: [{ title: 'Not ready' }] },
    ]);
    const { versions } = (await api.get(`/v3/edit/tours/${id}/versions`)).body;
    const { version } = (await api.get(`/v3/edit/tours/${id}/versions/${versions[0].id}`)).body;
    expect([versions.length, versions[0].live, version.document.steps[0].title]).toEqual([2, true, 'Hello']);
    expect((await api.post(`/v3/edit/tours/${id}/resume`)).status).toBe(409);
  });

  it('is rejected if a Segment of what users saw was deleted, because others would see it', async () => {
    const items = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }];
    const segment = await make('segments', { name: 'Pro', items });
    const { id } = await add('Tour', { published_at: '$now', excluded_segment_ids: [segment] });
    await change(id, { published_at: null, excluded_segment_ids: [] });
    expect((await api.send('DELETE', `/v3/edit/segments/${segment}`)).status).toBe(200);
    const { status, body } = await api.post(`/v3/edit/tours/${id}/resume`);
    expect([status, body.messages[0]]).toEqual([409, expect.stringMatching(/deleted since.*excluded_segment_ids/)]);
    expect((await change(id, { published_at: '$now' })).state).toBe('live');
  });

  it('is rejected for a draft that was never published, and if only owners publish', async () => {
    const { id } = await add('Draft');
    expect((await api.post(`/v3/edit/tours/${id}/resume`)).status).toBe(409);
    await change(id, { published_at: '$now' });
    await change(id, { published_at: null });
    await api.patch('/v3/edit/account', { who_may_publish: 'owners' });
    const editor = await addSignedIn(api, 'editor');
    expect((await editor.browser.post(`/v3/edit/tours/${id}/resume`)).status).toBe(403);
  });
});

describe('uses of an Experience', () => {
  it('lists buttons, items, Deliveries, limit groups, webhooks and Segments', async () => {
    const target = await add('Target', { published_at: '$now' });
    const empty = (await api.get(`/v3/edit/tours/${target.id}/uses`)).body.uses;
    expect(empty).toEqual({
      experiences: [],
      pending_deliveries: 0,
      limit_groups: [],
      alert_groups: [],
      webhooks: [],
      segments: [],
    });
    const button = { text: 'Go', additional_actions: ['tour'], action_campaign_id: target.id };
    const starter = await add('Starter', { steps: [{ title: 'Hi', buttons: [button] }], published_at: '$now' });
    await change(starter.id, { name: 'Draft name', steps: [{ title: 'Without' }] });
    const launcher = await add('Menu', { items: [{ kind: 'tour', title: 'Go', campaign_id: target.id }] }, 'launchers');
    await add('Only mentions it', { steps: [{ title: target.id }] });
    await make('alert_groups', { name: 'Quiet', interval: 7, campaign_ids: [target.id] });
    await make('limit_groups', { name: 'Few', max_count: 1, period_hours: 1, experience_ids: [target.id] });
    await make('webhooks', { url: 'https://example.com/in', topics: ['tour.*'], experience_ids: [target.id] });
    const items = [{ kind: 'tour', range: 'completed', op: 'in', value: target.id }];
    await make('segments', { name: 'Finished', items });
    const profile_id = await makeSeenProfile(api, api.account);
    const delivery = { model_kind: 'tour', model_id: target.id, profile_id };
    expect((await api.post('/v3/edit/deliveries', delivery)).status).toBe(201);
    const { uses } = (await api.get(`/v3/edit/tours/${target.id}/uses`)).body;
    expect(uses).toMatchObject({
      experiences: [
        { id: launcher.id, kind: 'launcher', name: 'Menu', published: false },
        { id: starter.id, kind: 'tour', name: 'Starter', published: true },
      ],
      pending_deliveries: 1,
      limit_groups: [{ name: 'Few' }],
      alert_groups: [{ name: 'Quiet' }],
      webhooks: [{ url: 'https://example.com/in' }],
      segments: [{ name: 'Finished' }],
    });
    expect((await api.get(`/v3/edit/surveys/${target.id}/uses`)).status).toBe(404);
  });
});

describe('copy to another account', () => {
  it('creates a draft without what the other account does not have', async () => {
    const segment = await make('segments', {
      name: 'Pro',
      items: [{ kind: 'property', prop: 'a', op: 'eq', value: 'b' }],
    });
    const [staging, secret] = [
      await make('url_groups', { name: 'Staging' }),
      await make('url_groups', { name: 'Secret' }),
    ];
    const theirs = (await api.post('/v3/edit/url_groups', { name: 'staging' }, { as: api.other })).body.url_group;
    const target = await add('Target');
    const button = { text: 'Go', additional_actions: ['tour'], action_campaign_id: target.id };
    const tour = await add('Tour', {
      segment_ids: [segment],
      url_group_ids: [staging, secret],
      steps: [{ title: 'Hi', buttons: [button] }],
      position: 3,
    });
    const ann = await addSignedIn(api, 'editor');
    const path = `/v3/edit/tours/${tour.id}/copy`;
    const account_id = api.other.account_id;
    expect((await ann.browser.post(path, { account_id })).status).toBe(404);
    await addToAccount(api, ann.personId, account_id, 'viewer');
    expect((await ann.browser.post(path, { account_id })).status).toBe(403);
    await api.app.storage.write(null, (db) =>
      db
        .updateTable('admins')
        .set({ role: 'editor' })
        .where('account_id', '=', account_id)
        .where('role', '=', 'viewer')
        .execute(),
    );
    const { status, body } = await ann.browser.post(path, { account_id });
    expect([status, body.messages]).toEqual([201, undefined]);
    expect(body.experience).toMatchObject({
      name: 'Tour',
      state: 'draft',
      segment_ids: [],
      url_group_ids: [theirs.id],
      position: 0,
    });
    expect(body.experience.steps[0].buttons[0].action_campaign_id).toBe(null);
    expect(body.dropped.map(({ type, name }: Shown) => [type, name])).toEqual([
      ['segment', 'Pro'],
      ['url_group', 'Secret'],
      ['experience', 'Target'],
    ]);
    expect((await list('', api.other)).experiences.map(({ id }) => id)).toEqual([body.experience.id]);
    expect((await api.post(path, { account_id })).status).toBe(403);
  });
});

describe.each(listTemplates())('template $id', (template) => {
  it('becomes a draft with its texts in the languages of the account, and is published', async () => {
    await api.post('/v3/edit/languages', { code: 'ar' });
    const { templates } = (await api.get('/v3/edit/templates')).body;
    expect(templates.find(({ id }: Shown) => id === template.id)).toMatchObject({ kind: template.kind });
    const made = await add('Mine', { template_id: template.id }, pathOfKind(template.kind));
    expect(made).toMatchObject({ name: 'Mine', state: 'draft' });
    const path = `/v3/edit/${pathOfKind(template.kind)}/${made.id}`;
    const { steps, items } = (await api.get(path)).body[template.kind];
    const content = JSON.stringify(items ? { items } : { steps });
    if (content.includes('.example/')) expect((await api.patch(path, { published_at: '$now' })).status).toBe(422);
    const replaced = JSON.parse(content.replaceAll('https://your-product.example', ''));
    const { status, body } = await api.patch(path, { ...replaced, published_at: '$now' });
    expect([status, body.messages]).toEqual([200, undefined]);
    const [{ id }] = (await api.get(`${path}/versions`)).body.versions;
    const { version } = (await api.get(`${path}/versions/${id}`)).body;
    expect(Object.keys(version.translations.ar)).toHaveLength(Object.keys(template.translations.ar ?? {}).length);
    expect(JSON.stringify(version)).not.toContain(template.modelId);
    const other = template.kind === 'tour' ? 'surveys' : 'tours';
    expect((await api.post(`/v3/edit/${other}`, { name: 'Wrong', template_id: template.id })).status).toBe(422);
  });
});
