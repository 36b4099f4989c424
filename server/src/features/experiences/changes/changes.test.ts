import {
  applyChanges,
  type Content,
  type ExperienceKind,
  emptyDocument,
  firstIdAt,
  kindOfPath,
  timeOfId,
  toTimestamp,
} from '@usher/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, newEmail, startApi } from '../../../../test/api.ts';
import { kindFor, makeExperienceFor } from '../../../../test/experience-path.ts';
import { addSignedIn } from '../../../../test/sign-in.ts';
import { routes } from '../../../app.ts';
import { type CreatedAccount, createAccount } from '../../team/accounts/create-account.ts';
import { toModelChange } from './to-model-change.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

const unknownId = 'f'.repeat(24);
const steps = [{ title: 'Hello', body: 'There', buttons: [{ text: 'Next' }] }, { title: 'Then' }];
const newAccount = () => createAccount(api.app, { name: 'Feed', email: newEmail() });

async function make(kind: string, params: object = { steps }, as = api.account) {
  const { status, body } = await api.post(`/v3/edit/${kind}`, { name: 'Welcome', ...params }, { as });
  expect(status).toBe(201);
  return body[kindOfPath(kind) as string];
}
const makeTour = (params?: object, as?: CreatedAccount) => make('tours', params, as);
const update = async (id: string, params: object, kind = 'tours') => {
  const { status, body } = await api.patch(`/v3/edit/${kind}/${id}`, params);
  expect(status).toBe(200);
  return body[kindOfPath(kind) as string];
};
const feed = async (path: string, query = '', as = api.account) => {
  const { status, body } = await api.get(`/v3/edit/${path}`, { query, as });
  expect(status).toBe(200);
  return body;
};
/** The Changes of an Experience, oldest first. */
const history = async (id: string, kind = 'tours', query = 'limit=500') =>
  (await feed(`${kind}/${id}/changes`, query)).changes.reverse();
const summary = (id: string, kind = 'tours') => feed(`${kind}/${id}/changes/summary`);
/** Returns the Changes that a write records. */
async function changesOf(id: string, write: () => Promise<unknown>, kind = 'tours') {
  const before = await history(id, kind);
  await write();
  return (await history(id, kind)).slice(before.length);
}

/** The primary goal that the name of an event in `goal` stands for. */
const primaryGoal = expect.objectContaining({ kind: 'event', event_name: 'done', primary: true });

describe('the feed', () => {
  it('returns the author, the time, the model and the difference of a Change', async () => {
    const tour = await makeTour();
    const [change] = await changesOf(tour.id, () => update(tour.id, { name: 'Hi' }));
    const made = toTimestamp(timeOfId(change.id));
    expect(Object.entries(change)).toEqual([
      ['id', expect.stringMatching(/^[0-9a-f]{24}$/)],
      ['created_at', made],
      ['updated_at', made],
      ['experience_id', tour.id],
      ['model_id', tour.id],
      ['model_type', 'Campaign'],
      ['kind', 'update'],
      ['path', 'model'],
      ['object', { name: ['Welcome', 'Hi'] }],
      ['options', { capture_id: [expect.any(String), null] }],
      ['user', { id: api.account.user_id, name: expect.any(String), email: 'ann@acme.test' }],
    ]);
  });

  it('lists Changes of all Experiences of the account, newest first', async () => {
    const as = await newAccount();
    const [one, other] = [await makeTour({}, as), await make('launchers', {}, as)];
    await makeTour();
    const { changes, cursor } = await feed('changes', '', as);
    expect(changes.map((change: { experience_id: string }) => change.experience_id)).toEqual([other.id, one.id]);
    expect(cursor).toEqual({ limit: 50, before: null });
  });

  it('lists every Change once, page by page', async () => {
    const as = await newAccount();
    for (let count = 0; count < 5; count++) await makeTour({ steps: [{ title: `T${count}` }] }, as);
    const all = (await feed('changes', '', as)).changes.map(({ id }: { id: string }) => id);
    expect(all).toHaveLength(10);
    const paged: string[] = [];
    for (let before: string | null = ''; before !== null; ) {
      const page = await feed('changes', `limit=3${before && `&before=${before}`}`, as);
      paged.push(...page.changes.map(({ id }: { id: string }) => id));
      before = page.cursor.before;
    }
    expect(paged).toEqual(all);
    const after = await feed('changes', `after=${all[4]}`, as);
    expect(after.changes.map(({ id }: { id: string }) => id)).toEqual(all.slice(0, 4));
    expect((await feed('changes', 'before=2001-01-01', as)).changes).toEqual([]);
  });

  it('lists only the Changes of one Experience under the plural of its kind', async () => {
    const [tour, survey] = [await makeTour(), await make('surveys')];
    for (const [kind, { id }] of [
      ['tours', tour],
      ['surveys', survey],
    ]) {
      const changes = await history(id, kind);
      expect(changes).toHaveLength(4);
      expect(new Set(changes.map((change: { experience_id: string }) => change.experience_id))).toEqual(new Set([id]));
    }
    for (const path of [`surveys/${tour.id}`, `tour/${tour.id}`, `tours/${unknownId}`, 'tours/nothing'])
      for (const end of ['changes', 'changes/summary'])
        expect((await api.get(`/v3/edit/${path}/${end}`)).status).toBe(404);
    const foreign = await makeTour({}, api.other);
    for (const end of ['changes', 'changes/summary']) {
      const [one, other] = [
        await api.get(`/v3/edit/tours/${foreign.id}/${end}`),
        await api.get(`/v3/edit/tours/${unknownId}/${end}`),
      ];
      expect(one.status).toBe(404);
      expect(one.text).toBe(other.text);
    }
  });

  it.each(['tours', 'surveys', 'launchers', 'tooltips', 'embeds'])(
    'keeps the Changes of one of the %s when it is deleted',
    async (kind) => {
      const { id } = await make(kind, kind === 'launchers' ? { items: [{ title: 'Help' }] } : { steps: [steps[0]] });
      const before = await history(id, kind);
      expect((await api.send('DELETE', `/v3/edit/${kind}/${id}`)).status).toBe(200);
      const after = await history(id, kind);
      expect(after.slice(0, before.length)).toEqual(before);
      expect(after.slice(before.length).every((change: { kind: string }) => change.kind === 'destroy')).toBe(true);
      expect(after).toHaveLength(2 * before.length);
      const wrong = kind === 'launchers' ? 'tooltips' : 'launchers';
      expect((await api.get(`/v3/edit/${wrong}/${id}/changes`)).status).toBe(404);
    },
  );
});

describe('filters', () => {
  const find = async (id: string, query: string) =>
    (await history(id, 'tours', query)).map(({ path, kind }: { path: string; kind: string }) => `${kind} ${path}`);

  it.each([
    ['filters=%5B%22title%22,%22goal%22%5D', 'a list in JSON'],
    ['filters[]=title&filters[]=goal', 'a list'],
    ['filters=title,goal', 'words'],
    ['filter=title&filters=goal', 'both names'],
  ])('returns only Changes that touch one of the properties: %s, %s', async (query) => {
    const tour = await makeTour({ steps: [{ title: 'Hello' }, { body: 'No title' }] });
    await update(tour.id, { goal: 'signed_up' });
    await update(tour.id, { name: 'Else' });
    expect(await find(tour.id, query)).toEqual(['create steps.0', 'update model']);
    const all = await feed('changes', `${query}&limit=2`);
    expect(all.changes.map(({ experience_id }: { experience_id: string }) => experience_id)).toEqual([
      tour.id,
      tour.id,
    ]);
  });

  it('accepts one property as `filter`', async () => {
    const tour = await makeTour();
    await update(tour.id, { name: 'Else' });
    expect(await find(tour.id, 'filter=name')).toEqual(['create model', 'update model']);
    expect(await find(tour.id, 'filter=text')).toEqual(['create steps.0.buttons.0']);
    expect(await find(tour.id, 'filter=nothing')).toEqual([]);
    expect(await find(tour.id, 'filters=')).toHaveLength(5);
  });

  it('lists a Change that touches several properties once, page by page', async () => {
    const as = await newAccount();
    for (let count = 0; count < 4; count++) await makeTour({ goal: 'done', steps: [{ title: 'T', body: 'B' }] }, as);
    const wanted = (await feed('changes', '', as)).changes.map(({ id }: { id: string }) => id);
    const query = 'filters=title,body,name,goal';
    const paged: string[] = [];
    for (let before: string | null = ''; before !== null; ) {
      const page = await feed('changes', `${query}&limit=3${before && `&before=${before}`}`, as);
      paged.push(...page.changes.map(({ id }: { id: string }) => id));
      before = page.cursor.before;
    }
    expect(paged).toEqual(wanted);
    const after = await feed('changes', `${query}&after=${wanted[2]}`, as);
    expect(after.changes.map(({ id }: { id: string }) => id)).toEqual(wanted.slice(0, 2));
    const time = toTimestamp(timeOfId(wanted[0]) + 1);
    expect((await feed('changes', `${query}&after=${time}`, as)).changes).toEqual([]);
    expect((await feed('changes', `${query}&before=${time}`, as)).changes).toHaveLength(8);
  });

  it('accepts at most 20 names of properties', async () => {
    const names = (many: number) => Array.from({ length: many }, (_, index) => `p${index}`).join(',');
    expect((await api.get('/v3/edit/changes', { query: `filters=${names(20)}` })).status).toBe(200);
    for (const query of [
      `filters=${names(21)}`,
      `filters=${names(15)}&filter=a,b,c,d,e,f`,
      'filters=[1]',
      'filters[a]=b',
    ]) {
      const { status, body } = await api.get('/v3/edit/changes', { query });
      expect(status).toBe(422);
      expect(body.messages[0]).toContain('`filters');
    }
  });

  it('reads a filtered page from an index at any depth', async () => {
    const as = await newAccount();
    const { id } = await makeTour({}, as);
    const account_id = as.account_id;
    const idAt = (index: number) => firstIdAt(1_000_000_000_000 + index);
    await api.app.storage.write(account_id, async (db) => {
      for (let from = 0; from < 5000; from += 500) {
        const ids = Array.from({ length: 500 }, (_, index) => idAt(from + index));
        const whose = { account_id, experience_id: id };
        const rest = { model_id: id, model_type: 'Campaign', kind: 'update', op: 'update', path: 'model' } as const;
        const text = { object: '{"name":["a","b"]}', options: '{}', admin_id: as.user_id };
        await db
          .insertInto('changes')
          .values(ids.map((id) => ({ ...whose, id, write_id: id, ...rest, ...text })))
          .execute();
        const property = (index: number) => (index % 100 === 0 ? 'goal' : 'name');
        await db
          .insertInto('change_properties')
          .values(ids.map((change_id, index) => ({ ...whose, change_id, property: property(index) })))
          .execute();
      }
    });
    for (const path of ['changes', `tours/${id}/changes`]) {
      const { changes, cursor } = await feed(path, `filters=goal,title&limit=10&before=${idAt(1001)}`, as);
      expect(changes.map(({ id }: { id: string }) => id)).toEqual(
        Array.from({ length: 10 }, (_, index) => idAt(1000 - index * 100)),
      );
      expect(cursor.before).toBe(idAt(100));
      const many = await feed(path, 'filters=name&limit=120&before=2001-09-09T01:46:45.000Z', as);
      const ids = many.changes.map(({ id }: { id: string }) => id);
      expect(ids).toHaveLength(120);
      expect(ids).toEqual([...ids].sort().reverse());
      expect(many.cursor.before).toBe(ids.at(-1));
    }
  });
});

describe('the content of a Change', () => {
  it.each([
    ['tours', 'Campaign', 'steps', 'Step'],
    ['surveys', 'Campaign', 'steps', 'Step'],
    ['embeds', 'Campaign', 'steps', 'Step'],
    ['tooltips', 'Tooltip', 'steps', 'Step'],
    ['launchers', 'List', 'items', 'ListItem'],
  ])('records %s as %s, with %s of the type %s', async (kind, type, list, part) => {
    const { id } = await make(kind, {
      [list]: [{ title: 'One', ...(list === 'steps' && { buttons: [{ text: 'Go' }] }) }],
    });
    const types = (await history(id, kind)).map(({ model_type, path }: Record<string, string>) => [path, model_type]);
    const button = list === 'steps' ? [['steps.0.buttons.0', 'Button']] : [];
    expect(types).toEqual([['model', type], [`${list}.0`, part], ...button]);
  });

  it('records scalars for created and deleted models', async () => {
    const tour = await makeTour({ steps: [{ title: 'Hello', elements: [{ selector: '#a' }] }] });
    const [, made] = await history(tour.id);
    expect(made).toMatchObject({ kind: 'create', path: 'steps.0', model_id: tour.steps[0].id, experience_id: tour.id });
    expect(made.object).toMatchObject({ title: 'Hello', 'elements.0.selector': '#a', backdrop: false, body: null });
    const [deleted] = await changesOf(tour.id, () => update(tour.id, { steps: [] }));
    expect(deleted).toMatchObject({ kind: 'destroy', path: 'steps.0', object: made.object });
    for (const value of Object.values(made.object)) expect(typeof value === 'object' ? value : null).toBeNull();
  });

  it('records [before, after] of each changed property', async () => {
    const tour = await makeTour();
    const [button] = tour.steps[0].buttons;
    const changes = await changesOf(tour.id, () =>
      update(tour.id, {
        goal: 'done',
        steps: [
          { id: tour.steps[0].id, body: null, buttons: [{ id: button.id, text: 'Go' }] },
          { id: tour.steps[1].id },
        ],
      }),
    );
    expect(changes.map(({ kind, path, object }: Record<string, unknown>) => [kind, path, object])).toEqual([
      ['update', 'model', { goal: [null, 'done'], goals: [[], [primaryGoal]] }],
      ['update', 'steps.0', { body: ['There', null] }],
      ['update', 'steps.0.buttons.0', { text: ['Next', 'Go'] }],
    ]);
  });

  it('records an autosave as `partial`, in pairs', async () => {
    const tour = await makeTour();
    const changes = await changesOf(tour.id, () =>
      update(tour.id, { autosave: true, name: 'Hi', steps: [{ id: tour.steps[0].id }, { title: 'New' }] }),
    );
    expect(changes.map(({ kind, path }: Record<string, unknown>) => [kind, path])).toEqual([
      ['partial', 'model'],
      ['partial', 'steps.1'],
      ['partial', 'steps.1'],
    ]);
    expect(changes.map(({ object }: { object: Record<string, unknown> }) => object.title)).toEqual([
      undefined,
      [null, 'New'],
      ['Then', null],
    ]);
    for (const { object } of changes) for (const diff of Object.values(object)) expect(diff).toHaveLength(2);
  });

  it('records an import as `raw`', async () => {
    const tour = await makeTour();
    const path = `/v3/edit/tours/${tour.id}/import`;
    const changes = await changesOf(tour.id, () => api.post(path, { name: 'Whole', steps: [{ title: 'Only' }] }));
    expect(changes.length).toBeGreaterThan(1);
    for (const { kind, object } of changes) {
      expect(kind).toBe('raw');
      for (const diff of Object.values(object)) expect(diff).toHaveLength(2);
    }
  });

  it('records a return to an earlier version as `revert`', async () => {
    const tour = await makeTour();
    const last = (await history(tour.id)).at(-1);
    await update(tour.id, { name: 'Else', steps: [{ title: 'Other' }] });
    const changes = await changesOf(tour.id, async () => {
      const { status, body } = await api.post(`/v3/edit/tours/${tour.id}/revert`, { change_id: last.id });
      expect(status).toBe(200);
      expect(body.tour.steps).toEqual(tour.steps);
      expect(body.tour.name).toBe('Welcome');
    });
    expect(changes.length).toBeGreaterThan(3);
    expect(changes.every(({ kind }: { kind: string }) => kind === 'revert')).toBe(true);
  });

  it('records the administrator of the secret', async () => {
    const tour = await makeTour({}, api.other);
    const { changes } = await feed(`tours/${tour.id}/changes`, '', api.other);
    expect(changes[0].user).toEqual({ id: api.other.user_id, name: expect.any(String), email: 'bob@other.test' });
  });

  it('adds a new capture only when the appearance changes', async () => {
    const tour = await makeTour();
    const [first, second] = tour.steps;
    const captures = async (write: object) =>
      (await changesOf(tour.id, () => update(tour.id, write))).map(
        ({ path, options }: { path: string; options: { capture_id: (string | null)[] } }) => [
          path,
          ...options.capture_id,
        ],
      );
    const [, made, , other] = (await history(tour.id)).map(
      ({ options }: { options: { capture_id: (string | null)[] } }) => options.capture_id,
    );
    expect([made[0], other[0]]).toEqual([null, null]);
    const id = expect.stringMatching(/^[0-9a-f]{24}$/);
    expect([made[1], other[1]]).toEqual([id, id]);
    expect(await captures({ goal: 'done' })).toEqual([['model', made[1], null]]);
    const changed = await captures({
      steps: [
        { id: first.id, title: 'New', buttons: [{ id: first.buttons[0].id, action_url: '/x' }] },
        { id: second.id },
      ],
    });
    expect(changed).toEqual([
      ['steps.0', made[1], id],
      ['steps.0.buttons.0', made[1], null],
    ]);
    expect(changed[0]?.[2]).not.toBe(made[1]);
    const text = [{ id: first.id, buttons: [{ id: first.buttons[0].id, text: 'Go' }] }, { id: second.id }];
    expect(await captures({ steps: text })).toEqual([['steps.0.buttons.0', changed[0]?.[2], id]]);
    expect(await captures({ steps: [{ id: first.id }, { id: second.id, snooze_hours: 2 }] })).toEqual([
      ['steps.1', other[1], null],
    ]);
  });

  it('records nothing when nothing changes or the write is rejected', async () => {
    const tour = await makeTour({ steps: [{ title: 'Hello', elements: [{ text: 'Save', selector: '#a' }] }] });
    const shown = await api.get(`/v3/edit/tours/${tour.id}`);
    const writes = [
      () => api.patch(`/v3/edit/tours/${tour.id}`, shown.body.tour),
      () => api.patch(`/v3/edit/tours/${tour.id}`, { name: 'New', segment_ids: [unknownId] }),
      () => api.patch(`/v3/edit/tours/${tour.id}`, { name: 'New', steps: [{ id: unknownId }] }),
      () => api.post(`/v3/edit/tours/${tour.id}/steps`, { title: 5 }),
      () => api.post('/v3/edit/tours', { name: 'New', tag_ids: [unknownId] }),
    ];
    const before = await feed('changes', 'limit=1');
    const statuses = [];
    for (const write of writes) statuses.push((await write()).status);
    expect(statuses).toEqual([200, 404, 422, 422, 404]);
    expect(await feed('changes', 'limit=1')).toEqual(before);
  });
});

describe('every write', () => {
  const writes = routes
    .filter(({ path, permission }) => permission !== 'read' && /^\/v3\/edit\/(:kind|launchers)/.test(path))
    // A proposal is no Change until it is approved. What files change is tested in files.test.ts. People are saved as a Segment.
    .filter(({ path }) => !/\/(proposals|file|people)$/.test(path))
    .flatMap((route) => route.methods.filter((method) => method !== 'GET').map((method) => ({ method, ...route })));

  it('lists every route that writes Experiences', () => {
    expect(writes.length).toBeGreaterThan(15);
  });

  /** Rebuilds the content from the Changes. */
  async function rebuild(kind: ExperienceKind, id: string, account_id: string): Promise<Content> {
    const rows = await api.app.storage
      .reader(account_id)
      .selectFrom('changes')
      .selectAll()
      .where('account_id', '=', account_id)
      .where('experience_id', '=', id)
      .where('kind', '<>', 'related')
      .orderBy('id')
      .execute();
    let content: Content = { document: emptyDocument(kind), translations: {} };
    for (const write of new Set(rows.map(({ write_id }) => write_id))) {
      const together = rows.filter(({ write_id }) => write_id === write);
      content = applyChanges(id, content, together.map(toModelChange));
    }
    return content;
  }

  it.each(writes)('$method $path records Changes from which the draft can be rebuilt', async (route) => {
    const as = await newAccount();
    const kind = kindFor(route.path);
    const inPath = await makeExperienceFor(api, route.path, as);
    const params: Record<string, unknown> = { ...route.example };
    if (route.path.endsWith('/items/:part_id')) params.title = 'Another';
    if (route.path.endsWith('/revert')) {
      params.change_id = (await feed('changes', '', as)).changes[0].id;
      await api.patch(`/v3/edit/${kind}/${inPath.id}`, { name: 'To be undone' }, { as });
    }
    if (route.path.endsWith('/publish'))
      params.hash = (await api.get(`/v3/edit/${kind}/${inPath.id}/diff`, { as })).body.diff.hash;
    if (route.path.endsWith('/translations')) {
      await api.post('/v3/edit/languages', { code: 'de' }, { as });
      const { body } = await api.get(`/v3/edit/${kind}/${inPath.id}/translations`, { as });
      const { model_id, field } = body.translations.steps[0].texts[0];
      Object.assign(params, { language: 'de', texts: [{ model_id, field, text: 'Hallo' }] });
    }
    const before = (await feed('changes', 'limit=500', as)).changes.length;
    const path = route.path.replace(/:(\w+)/g, (_, name) => inPath[name] ?? '');
    if (route.path.endsWith('/copy')) params.account_id = as.account_id;
    const { browser } = await addSignedIn(api, 'editor', { accountId: as.account_id });
    const { status } = route.forSession
      ? await browser.send(route.method, path, { body: params })
      : await api.send(route.method, path, { body: params, as });
    expect(status).toBe(route.status);
    expect((await feed('changes', 'limit=500', as)).changes.length).toBeGreaterThan(before);
    const rows = await api.app.storage
      .reader(as.account_id)
      .selectFrom('experiences')
      .select(['id', 'draft'])
      .where('account_id', '=', as.account_id)
      .execute();
    const isGone = route.method === 'DELETE' && route.path === '/v3/edit/:kind/:id';
    expect(rows.length > 0).toBe(!isGone);
    for (const { id, draft } of rows) expect((await rebuild(draft.kind, id, as.account_id)).document).toEqual(draft);
  });
});

describe('the summary', () => {
  it('contains everything since the creation of an unpublished Experience', async () => {
    const tour = await makeTour();
    await update(tour.id, { name: 'Hi' });
    const changes = await history(tour.id);
    const summed = await summary(tour.id);
    expect(Object.keys(summed)).toEqual(['model_id', 'path', 'kind', 'change_id', 'capture_id', 'object', 'changes']);
    expect(summed).toMatchObject({ model_id: tour.id, path: 'model', kind: 'create' });
    expect(summed.change_id).toEqual([changes[0].id, changes.at(-1).id]);
    expect(summed.capture_id).toEqual([null, changes[1].options.capture_id[1]]);
    expect(summed.object).toEqual({
      name: 'Campaign',
      description: 'Adds the Experience “Hi”.',
      value: expect.objectContaining({ name: 'Hi', style: 'auto' }),
    });
    expect(summed.changes.map(({ path, kind, model_id }: Record<string, string>) => [path, kind, model_id])).toEqual([
      ['steps.0', 'create', tour.steps[0].id],
      ['steps.0.buttons.0', 'create', tour.steps[0].buttons[0].id],
      ['steps.1', 'create', tour.steps[1].id],
    ]);
    for (const child of summed.changes) {
      expect(Object.keys(child)).toEqual(['model_id', 'path', 'kind', 'capture_id', 'object']);
      expect(child.capture_id).toEqual([null, expect.any(String)]);
      for (const value of Object.values(child.object.value))
        expect(typeof value === 'object' ? value : null).toBeNull();
    }
  });

  it('is empty directly after publishing', async () => {
    const tour = await makeTour();
    await update(tour.id, { name: 'Hi', published_at: '$now', steps: [{ id: tour.steps[0].id, title: 'New' }] });
    const summed = await summary(tour.id);
    expect(summed).toMatchObject({ kind: 'update', change_id: [null, null], object: null, changes: [] });
    expect(summed.capture_id[1]).toBeNull();
  });

  it('contains the differences to the last publish and the range of Changes', async () => {
    const tour = await makeTour();
    const published = await update(tour.id, { published_at: '$now' });
    const [first, second] = published.steps;
    const count = (await history(tour.id)).length;
    await update(tour.id, { goal: 'once' });
    await update(tour.id, { goal: 'done', name: 'There' });
    await update(tour.id, { name: 'Welcome' });
    await update(tour.id, {
      steps: [{ id: first.id, title: 'Hi', body: 'You', buttons: [{ text: 'Go' }] }, { id: second.id }],
    });
    await update(tour.id, { steps: [{ id: first.id }, { id: second.id, snooze_hours: 2 }] });
    const since = (await history(tour.id)).slice(count);
    const summed = await summary(tour.id);
    expect(summed.kind).toBe('update');
    expect(summed.change_id).toEqual([since[0].id, since.at(-1).id]);
    expect(summed.object).toEqual({
      name: 'goal, goals',
      description: 'Changes goal and goals.',
      value: [
        { goal: null, goals: [] },
        { goal: 'done', goals: [primaryGoal] },
      ],
    });
    const step = since.find(({ path }: { path: string }) => path === 'steps.0');
    const [before, after] = step.options.capture_id;
    expect(summed.capture_id).toEqual([before, after]);
    const other = since.at(-1).options.capture_id[0];
    expect(summed.changes).toMatchObject([
      {
        path: 'steps.0',
        kind: 'update',
        capture_id: [before, after],
        object: {
          name: 'title, body',
          description: 'Changes title and body.',
          value: [
            { title: 'Hello', body: 'There' },
            { title: 'Hi', body: 'You' },
          ],
        },
      },
      { path: 'steps.0.buttons.0', kind: 'create', capture_id: [before, after], object: { name: 'Button' } },
      {
        path: 'steps.1',
        kind: 'update',
        capture_id: [other, null],
        object: { name: 'snooze_hours', value: [null, 2] },
      },
      { path: 'steps.0.buttons.0', kind: 'destroy', capture_id: [before, after], object: { name: 'Button' } },
    ]);
    await update(tour.id, { published_at: '$now' });
    expect((await summary(tour.id)).changes).toEqual([]);
  });

  it('begins at the last publish also after unpublishing', async () => {
    const tour = await makeTour();
    await update(tour.id, { published_at: '$now' });
    const changes = await changesOf(tour.id, () => update(tour.id, { published_at: null }));
    expect(await summary(tour.id)).toMatchObject({
      kind: 'update',
      change_id: [changes[0].id, changes[0].id],
      object: { name: 'published_at', description: 'Clears published at.', value: [expect.any(String), null] },
      changes: [],
    });
  });

  it('contains the items of a launcher', async () => {
    const { id, items } = await make('launchers', {
      title: 'Help',
      items: [
        { title: 'Docs', url: '/docs' },
        { title: 'Chat', url: '/chat' },
      ],
    });
    await update(id, { published_at: '$now' }, 'launchers');
    await update(id, { items: [{ id: items[1].id }, { id: items[0].id }] }, 'launchers');
    const summed = await summary(id, 'launchers');
    expect(summed.capture_id).toEqual([expect.any(String), expect.any(String)]);
    expect(summed).toMatchObject({
      object: null,
      changes: [
        {
          path: 'items.0',
          object: { name: 'position', description: 'Moves the item from place 2 to 1.', value: [1, 0] },
        },
        {
          path: 'items.1',
          object: { name: 'position', description: 'Moves the item from place 1 to 2.', value: [0, 1] },
        },
      ],
    });
  });

  it('contains the last content of a deleted Experience', async () => {
    const tour = await makeTour();
    await update(tour.id, { published_at: '$now' });
    const deleted = await changesOf(tour.id, () => api.send('DELETE', `/v3/edit/tours/${tour.id}`));
    const summed = await summary(tour.id);
    expect(summed).toMatchObject({ kind: 'destroy', change_id: [deleted[0].id, deleted.at(-1).id] });
    expect(summed.object).toMatchObject({ name: 'Campaign', value: { name: 'Welcome' } });
    expect(summed.changes.map(({ path, kind }: Record<string, string>) => `${kind} ${path}`)).toEqual([
      'destroy steps.0',
      'destroy steps.0.buttons.0',
      'destroy steps.1',
    ]);
    expect(summed.changes[0].capture_id).toEqual([expect.any(String), null]);
    for (const { options } of deleted) expect(options.capture_id).toEqual([expect.any(String), null]);
  });

  it('contains changed texts of other languages', async () => {
    const tour = await makeTour();
    await update(tour.id, { published_at: '$now' });
    const file = (await api.get(`/v3/edit/tours/${tour.id}/i18n.json`)).text;
    const form = new FormData();
    const translated = file.replaceAll('"default"', '"de"').replace('"Hello"', '"Hallo"');
    form.append('file', new Blob([translated]), 'de.json');
    expect((await api.post('/v3/edit/i18n', form)).status).toBe(200);
    const { object, changes } = await summary(tour.id);
    expect(object).toBeNull();
    expect(changes.find(({ path }: { path: string }) => path === 'translations.de.steps.0')).toMatchObject({
      model_id: tour.steps[0].id,
      kind: 'update',
      capture_id: [expect.any(String), null],
    });
  });
});

describe('the comparison of versions', () => {
  const compare = async (id: string, from: string, query = '') => {
    const { status, body } = await api.get(`/v3/edit/tours/${id}/versions/${from}/summary`, { query });
    expect([status, body.messages]).toEqual([200, undefined]);
    return body;
  };
  const versionsOf = async (id: string): Promise<string[]> =>
    (await feed(`tours/${id}/versions`)).versions.map((version: { id: string }) => version.id);

  it('sums up what differs between two versions in either order, or from a version to the draft', async () => {
    const tour = await makeTour();
    await update(tour.id, { published_at: '$now' });
    await update(tour.id, { name: 'Hi', published_at: '$now' });
    await update(tour.id, { goal: 'done', steps: [{ id: tour.steps[0].id, title: 'Hey' }, { id: tour.steps[1].id }] });
    const [second = '', first = ''] = await versionsOf(tour.id);
    const name = (value: unknown) => ({ object: { name: 'name', value }, changes: [] });
    expect(await compare(tour.id, first, `until=${second}`)).toMatchObject({
      ...name(['Welcome', 'Hi']),
      capture_id: [null, null],
    });
    expect(await compare(tour.id, second, `until=${first}`)).toMatchObject(name(['Hi', 'Welcome']));
    expect(await compare(tour.id, second)).toMatchObject({
      object: { name: 'goal, goals', value: [{ goal: null }, { goal: 'done', goals: [primaryGoal] }] },
      changes: [{ path: 'steps.0', object: { name: 'title', value: ['Hello', 'Hey'] } }],
    });
    expect(await compare(tour.id, first)).toMatchObject({ object: { name: 'name, goal, goals' } });
  });

  it('returns 404 for versions of another Experience', async () => {
    const [one, other] = [
      await makeTour({ published_at: '$now', steps }),
      await makeTour({ published_at: '$now', steps }),
    ];
    const [[mine = ''], [theirs = '']] = [await versionsOf(one.id), await versionsOf(other.id)];
    const path = `/v3/edit/tours/${one.id}/versions`;
    expect((await api.get(`${path}/${theirs}/summary`)).status).toBe(404);
    expect((await api.get(`${path}/${mine}/summary`, { query: `until=${theirs}` })).status).toBe(404);
  });
});
