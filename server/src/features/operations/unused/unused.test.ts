import { type UnusedEntry, type UnusedKind, unusedKinds } from '@usher/domain';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { png } from '../../../../../domain/test/pictures.ts';
import { randomRuns } from '../../../../../domain/test/random-runs.ts';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, startApi } from '../../../../test/api.ts';
import { pictureForm } from '../../../../test/picture-form.ts';
import { addSignedIn } from '../../../../test/sign-in.ts';
import { sweepPictures } from '../../experiences/pictures/sweep-pictures.ts';

const DAY_MS = 24 * 60 * 60_000;

let now = Date.UTC(2029, 3, 7, 12);
let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => now });
});
beforeEach(async () => {
  now += DAY_MS;
  await api.replaceAccounts();
});
afterAll(() => api.stop());

async function list(kind: UnusedKind, as = api.account): Promise<UnusedEntry[]> {
  const { status, body } = await api.get('/v3/analyze/unused', { query: `kind=${kind}&limit=500`, as });
  expect([status, body.messages]).toEqual([200, undefined]);
  return body.unused;
}
const idsOf = async (kind: UnusedKind) => (await list(kind)).map(({ id }) => id).sort();

interface Made {
  id: string;
  steps: { id: string }[];
  items: { id: string }[];
}

async function add(path: string, params: object = {}): Promise<Made> {
  const { status, body } = await api.post(`/v3/edit/${path}`, { name: `Made ${++made}`, ...params });
  expect([path, status, body.messages]).toEqual([path, 201, undefined]);
  return Object.values<Made>(body)[0] as Made;
}
let made = 0;

const step = (params: object = {}) => ({ steps: [{ title: 'Hi', ...params }] });
const inSegment = (id: string) => [{ kind: 'segment', op: 'ex', value: id }];
const tour = (params: object = {}) => add('tours', { ...step(), ...params });
const item = (params: object) => ({ items: [{ title: 'Help', url: '/help', ...params }] });

/** One way to use a record of each kind. Each returns after the record with this ID is in use. */
const uses: Record<Exclude<UnusedKind, 'pictures' | 'properties'>, Record<string, (id: string) => Promise<unknown>>> = {
  segments: {
    'an Experience': (id) => tour({ segment_ids: [id] }),
    'an Experience that excludes it': (id) => tour({ excluded_segment_ids: [id] }),
    'an item': (id) => add('launchers', item({ segment_id: id })),
    'a condition of an item': (id) => add('launchers', item({ visible_when: inSegment(id) })),
    'a published version': async (id) => {
      const { id: used } = await tour({ segment_ids: [id], published_at: '$now' });
      await api.patch(`/v3/edit/tours/${used}`, { segment_ids: [] });
    },
    'a version before a pause': async (id) => {
      const { id: used } = await tour({ segment_ids: [id], published_at: '$now' });
      await api.patch(`/v3/edit/tours/${used}`, { published_at: null, segment_ids: [] });
    },
    'another Segment': (id) => add('segments', { items: inSegment(id) }),
    'a goal': (id) => add('goals', { kind: 'segment', segment_id: id }),
    'a goal of an Experience': (id) => tour({ goals: [{ name: 'In it', kind: 'segment', segment_id: id }] }),
    'a theme': (id) => add('themes', { variations: [{ name: 'Pro', filters: inSegment(id) }] }),
    'an import': (id) => add('imports', { kind: 'tag_filters', model_kind: 'profile', segment_ids: [id] }),
    'an experiment': async (id) => {
      const { id: shown } = await tour();
      await add('experiments', {
        segment_ids: [id],
        variants: [
          { name: 'Control', share: 50 },
          { name: 'New', experience_id: shown, share: 50 },
        ],
      });
    },
    'a saved report': (id) => add('reports', { kind: 'funnel', params: { split_segment_ids: [id] } }),
    'a saved view': async (id) => {
      const { browser } = await addSignedIn(api, 'viewer');
      const views = [{ name: 'Mine', search: `?segment=${id}` }];
      expect((await browser.patch('/v3/session/preferences', { views })).status).toBe(200);
    },
  },
  tags: {
    'an Experience': (id) => tour({ tag_ids: [id] }),
    'a limit group': (id) => add('limit_groups', { tag_ids: [id], max_count: 1, period_hours: 24 }),
    'an alert group': (id) => add('alert_groups', { tag_ids: [id], style: 'unseen', interval: 7 }),
    'a saved report': (id) => add('reports', { kind: 'overview', params: { tag_id: id } }),
  },
  goals: {
    'an Experience': (id) => tour({ goals: [{ goal_id: id }] }),
    'an experiment': async (id) => {
      const { id: shown } = await tour();
      await add('experiments', {
        goal_ids: [id],
        variants: [
          { name: 'Control', share: 50 },
          { name: 'New', experience_id: shown, share: 50 },
        ],
      });
    },
  },
  themes: {
    'an Experience': (id) => tour({ theme_id: id }),
    'a published version': async (id) => {
      await api.patch(`/v3/edit/themes/${id}`, { published_at: '$now' });
      const { id: used } = await tour({ theme_id: id, published_at: '$now' });
      await api.patch(`/v3/edit/tours/${used}`, { theme_id: null });
    },
    'the account': (id) => api.patch(`/v3/edit/themes/${id}`, { default: true }),
  },
  experiences: {
    'a button': (id) => tour(step({ buttons: [{ text: 'Go', action_campaign_id: id }] })),
    'an item': (id) => add('launchers', { items: [{ title: 'Go', campaign_id: id }] }),
    'a Segment': (id) => add('segments', { items: [{ kind: 'tour', op: 'ex', value: id, range: 'started' }] }),
    'a goal': (id) => add('goals', { kind: 'experience', experience_id: id, experience_state: 'completed' }),
    'a limit group': (id) => add('limit_groups', { experience_ids: [id], max_count: 1, period_hours: 24 }),
    'an alert group': (id) => add('alert_groups', { experience_ids: [id], style: 'unseen', interval: 7 }),
    'a webhook': (id) =>
      add('webhooks', { url: 'https://hooks.example.com', topics: ['tour.*'], experience_ids: [id] }),
    'a saved report': (id) =>
      add('reports', {
        kind: 'funnel',
        params: {
          steps: [
            { kind: 'experience', experience_id: id, state: 'started' },
            { kind: 'event', name: 'Paid' },
          ],
        },
      }),
    'a pending Delivery': async (id) => {
      expect((await api.patch(`/v3/edit/tours/${id}`, { published_at: '$now' })).status).toBe(200);
      const { profile } = (await api.post('/v3/observe/hooks/profiles', { uid: `user ${++made}` })).body;
      const { account_id } = api.account;
      // A Delivery is only for people who were seen on a page.
      await api.app.storage.write(account_id, (db) =>
        db.updateTable('profiles').set({ last_seen_at: now }).where('account_id', '=', account_id).execute(),
      );
      const delivery = { model_id: id, model_kind: 'tour', profile_id: profile.id };
      const { status, body } = await api.post('/v3/edit/deliveries', delivery);
      expect([status, body.messages]).toEqual([201, undefined]);
    },
  },
};

const create: Record<keyof typeof uses, () => Promise<Made>> = {
  segments: () => add('segments', { items: [] }),
  tags: () => add('tags'),
  goals: () => add('goals', { kind: 'event', event_name: 'paid' }),
  themes: () => add('themes'),
  experiences: () => tour(),
};

/** Later, an Experience is not new any more. */
function wait(): void {
  now += 40 * DAY_MS;
}

describe.each(Object.entries(uses) as [keyof typeof uses, Record<string, (id: string) => Promise<unknown>>][])(
  '%s',
  (kind, all) => {
    it.each(Object.keys(all))('are not listed while %s uses them', async (name) => {
      const [used, unused] = [await create[kind](), await create[kind]()];
      await all[name]?.(used.id);
      wait();
      const found = await idsOf(kind);
      expect(found).toContain(unused.id);
      expect(found).not.toContain(used.id);
    });
  },
);

const actions: Record<UnusedKind, (id: string) => ReturnType<Api['send']>> = {
  experiences: (id) => api.patch('/v3/edit/experiences/batch', { ids: [id], archived_at: '$now' }),
  segments: (id) => api.send('DELETE', `/v3/edit/segments/${id}`),
  tags: (id) => api.send('DELETE', `/v3/edit/tags/${id}`),
  goals: (id) => api.send('DELETE', `/v3/edit/goals/${id}`),
  themes: (id) => api.send('DELETE', `/v3/edit/themes/${id}`),
  pictures: (id) => api.send('DELETE', `/v3/edit/pictures/${id}`),
  properties: (id) => api.patch(`/v3/edit/properties/${id}`, { hidden: true }),
};

/** The drafts, versions and other records, which no clean-up changes. */
async function readRecords(without: string) {
  const rows = await accountRows(api.app, api.account.account_id);
  const tables = ['segments', 'tags', 'goals', 'themes', 'experiences', 'experiments', 'limit_groups', 'alert_groups'];
  return [...tables, 'experience_uses', 'webhooks', 'imports'].map((table) => [
    table,
    (rows[table] ?? []).filter((row: string) => !row.includes(without)).sort(),
  ]);
}

it('lists only what can be removed without an effect on anything else, in random accounts', async () => {
  const kinds = Object.keys(uses) as (keyof typeof uses)[];
  const use = fc
    .constantFrom(...kinds)
    .chain((kind) =>
      fc.record({ kind: fc.constant(kind), name: fc.option(fc.constantFrom(...Object.keys(uses[kind]))) }),
    );
  await fc.assert(
    fc.asyncProperty(fc.array(use, { minLength: 4, maxLength: 9 }), async (all) => {
      await api.replaceAccounts();
      for (const { kind, name } of all) {
        const { id } = await create[kind]();
        if (name !== null) await uses[kind][name]?.(id);
      }
      wait();
      for (const kind of kinds)
        for (const { id } of await list(kind)) {
          const before = await readRecords(id);
          const { status, body } = await actions[kind](id);
          expect([kind, status, body.messages]).toEqual([kind, 200, undefined]);
          expect(await readRecords(id)).toEqual(before);
          expect(await idsOf(kind)).not.toContain(id);
        }
    }),
    { numRuns: randomRuns(4) },
  );
}, 120_000);

describe('Experiences', () => {
  it('say why they are listed, and are not listed while they are new, seen or scheduled', async () => {
    const { account_id } = api.account;
    const [ended, never, old, seen, scheduled] = [
      await tour({ published_at: '$now', published_until: '+1d' }),
      await tour({ published_at: '$now' }),
      await tour({ published_at: '$now' }),
      await tour({ published_at: '$now' }),
      await tour({ published_at: '+60d' }),
    ];
    const count = (experience_id: string, last_started_at: number) =>
      api.app.storage.write(account_id, (db) =>
        db
          .insertInto('experience_counts')
          .values({
            ...{ account_id, experience_id, started_count: 3, completed_count: 0, exited_count: 0, displayed_count: 0 },
            last_started_at,
          })
          .execute(),
      );
    await count(old.id, now);
    wait();
    await count(seen.id, now - DAY_MS);
    const fresh = await tour();
    const found = new Map((await list('experiences')).map((one) => [one.id, one]));
    expect(found.get(ended.id)).toMatchObject({ reason: 'ended', kind: 'tour' });
    expect(found.get(never.id)).toMatchObject({ reason: 'never_shown', last_used_at: null });
    expect(found.get(old.id)).toMatchObject({
      reason: 'not_shown',
      last_used_at: new Date(now - 40 * DAY_MS).toISOString(),
    });
    for (const { id } of [seen, scheduled, fresh]) expect(found.has(id)).toBe(false);
    await actions.experiences(never.id);
    expect(await idsOf('experiences')).toEqual([ended.id, old.id].sort());
    expect((await api.patch('/v3/edit/experiences/batch', { ids: [never.id], archived_at: null })).status).toBe(200);
  });
});

describe('properties', () => {
  const addProperty = (name: string, kind = 'profile') => add('properties', { name, kind, description: 'Made' });

  it('are listed when nothing names them and no value has arrived for 30 days', async () => {
    const [unused, filtered, shown, mapped] = [
      await addProperty('Old plan'),
      await addProperty('Plan'),
      await addProperty('City'),
      await addProperty('Account Tier'),
    ];
    await add('segments', { items: [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }] });
    await tour(step({ title: `Hello {{city}}, ${'welcome '.repeat(40)}` }));
    await tour(step({ body: `Your tier: {{account_tier}}. ${'Welcome. '.repeat(40)}` }));
    expect(await list('properties')).toEqual([]);
    wait();
    await api.post('/v3/observe/hooks/profiles', { uid: 'ann', sent: 'now' });
    const found = await list('properties');
    expect(found.map(({ id }) => id)).toEqual([unused.id]);
    expect(found).toMatchObject([{ name: 'Old plan', reason: 'not_sent', kind: 'profile', last_used_at: null }]);
    for (const { id } of [filtered, shown, mapped]) expect(await idsOf('properties')).not.toContain(id);
    expect((await actions.properties(unused.id)).status).toBe(200);
    expect(await list('properties')).toEqual([]);
  });
});

describe('pictures', () => {
  it('are listed when no draft, translation or version shows them, with their bytes', async () => {
    const upload = async (width: number) => {
      const { status, body } = await api.post('/v3/edit/pictures', pictureForm(png(width, 20)));
      expect([status, body.messages]).toEqual([201, undefined]);
      return body.picture;
    };
    const [used, unused] = [await upload(31), await upload(32)];
    await tour(step({ picture: used.path }));
    await sweepPictures(api.app);
    now += 8 * DAY_MS;
    expect(await list('pictures')).toMatchObject([{ id: unused.id, size: expect.any(Number) }]);
    expect((await actions.pictures(unused.id)).status).toBe(200);
    expect(await list('pictures')).toEqual([]);
  });
});

describe('a record of the last 7 days', () => {
  it.each(Object.keys(create) as (keyof typeof create)[])('is not listed among %s', async (kind) => {
    const { id } = await create[kind]();
    if (kind === 'experiences')
      await api.patch(`/v3/edit/tours/${id}`, { published_at: '$now', published_until: '+1d' });
    now += 7 * DAY_MS - 1;
    expect(await idsOf(kind)).toEqual([]);
    now += 1;
    expect(await idsOf(kind)).toEqual([id]);
  });

  it('is listed if it came from another service, where it is older', async () => {
    const { id } = await create.segments();
    expect(await list('segments')).toEqual([]);
    const { account_id } = api.account;
    const created_at = now - 7 * DAY_MS;
    await api.app.storage.write(account_id, (db) =>
      db.updateTable('segments').set({ created_at }).where('account_id', '=', account_id).execute(),
    );
    expect(await idsOf('segments')).toEqual([id]);
  });
});

it('has pages, which have all once, and nothing of another account', async () => {
  const ids: string[] = [];
  for (let at = 0; at < 7; at++) {
    const { id } = await create.segments();
    if (at % 2 === 0) ids.push(id);
    else await uses.segments['an Experience']?.(id);
  }
  wait();
  const found: string[] = [];
  for (let before = ''; ; ) {
    const { body } = await api.get('/v3/analyze/unused', { query: `kind=segments&limit=2${before}` });
    found.push(...body.unused.map(({ id }: UnusedEntry) => id));
    if (body.cursor.before === null) break;
    before = `&before=${body.cursor.before}`;
  }
  expect(found).toEqual(ids.toReversed());
  for (const kind of unusedKinds) expect(await list(kind, api.other)).toEqual([]);
  const { status, body } = await api.get('/v3/analyze/unused', { query: 'kind=people' });
  expect([status, body.messages]).toEqual([422, [expect.stringContaining('`kind`')]]);
});

it('may be read by viewers', async () => {
  const { browser } = await addSignedIn(api, 'viewer');
  expect((await browser.get('/v3/analyze/unused?kind=tags')).status).toBe(200);
});
