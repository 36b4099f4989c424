import { firstIdAt, readFilters, toTimestamp } from '@usher/domain';
import { CompiledQuery, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { engine } from '../../../../test/engine.ts';
import { addResponse } from '../../../../test/use-rows.ts';
import { createContext } from '../../../create-context.ts';
import { type CreatedAccount, createAccount } from '../../team/accounts/create-account.ts';
import { countProfiles } from './count-profiles.ts';
import { queryProfiles } from './query-profiles.ts';
import { searchProfiles } from './search-profiles.ts';

let api: Api;
let ann: string;
let bob: string;
let cid: string;
const DAY = 86_400_000;
const tour = 'a'.repeat(24);
const survey = 'b'.repeat(24);
const unknownId = 'f'.repeat(24);
const plan = (value: unknown, op = 'eq') => ({ kind: 'property', prop: 'plan', op, value });

beforeAll(async () => {
  api = await startApi({ inTest: false });
  ann = await save({
    uid: 'ann',
    email: 'Ann@Acme.test',
    plan: 'pro',
    seats: 5,
    company: { uid: 'acme', plan: 'gold' },
  });
  bob = await save({ uid: 'bob', plan: 'free', seats: 12, joined_at: '2020-01-01' });
  cid = await save({ uid: 'cid', company: { uid: 'globex', plan: 'silver' }, tags: ['a', 1] });
  await save({ uid: 'ann', email: 'ann@acme.test', plan: 'pro' }, api.other);
  for (const uid of ['ann', 'ann', 'bob']) await api.post('/v3/observe/hooks/events', { uid, name: 'Signed In' });
  await seedDeeds();
});
afterAll(() => api.stop());

async function save(params: object, as = api.account): Promise<string> {
  const { status, body } = await api.post('/v3/observe/hooks/profiles', params, { as });
  expect(status).toBe(200);
  return body.profile.id;
}

/** Inserts rows that no endpoint creates. */
async function seedDeeds() {
  const account_id = api.account.account_id;
  const row = (experience_id: string) => ({ account_id, id: api.app.newId(), updated_at: Date.now(), experience_id });
  await api.app.storage.write(account_id, async (db) => {
    const started_at = Date.now() - 10 * DAY;
    await db
      .insertInto('interactions')
      .values({ ...row(tour), profile_id: ann, state: 'started', started_at, defer_count: 0 })
      .execute();
  });
  await addResponse(api.app, { account_id, experience_id: survey, profile_id: bob }, { button_index: 9 });
}

const search = (params: object = {}, as: CreatedAccount = api.account) =>
  api.post('/v3/analyze/profiles', params, { as });
const ids = (profiles: { id: string }[]) => profiles.map(({ id }) => id);
async function found(params: object, as = api.account): Promise<string[]> {
  const { status, body } = await search({ ...params, expand: { profile: 'skip' } }, as);
  expect(status).toBe(200);
  const counted = await api.post('/v3/analyze/profiles/count', params, { as });
  expect(counted.body).toEqual({ count: body.profiles.length });
  return ids(body.profiles);
}
async function addSegment(params: object, as = api.account): Promise<string> {
  const { status, body } = await api.post('/v3/edit/segments', { name: 'S', ...params }, { as });
  expect(status).toBe(201);
  return body.segment.id;
}
const newAccount = (name: string) => createAccount(api.app, { name, email: `${name}@acme.test` });

describe('search', () => {
  it.each(['GET', 'POST'])('%s returns profiles and a cursor, newest first', async (method) => {
    const { status, body } = await api.send(method, '/v3/analyze/profiles');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['profiles', 'cursor']);
    expect(ids(body.profiles)).toEqual([cid, bob, ann]);
    expect(body.cursor).toEqual({ limit: 50, before: null });
  });

  it('counts as many as it can within a time, and says whether these are all', async () => {
    const as = await newAccount('large');
    const profiles = Array.from({ length: 10_001 }, (_, index) => ({ uid: `u${index}`, odd: index % 2 === 1 }));
    const { body } = await api.post('/v3/observe/hooks/profiles/batch', { profiles }, { as });
    expect(body.messages).toBe(undefined);
    const count = async (params: object) => (await api.post('/v3/analyze/profiles/count', params, { as })).body;
    const filters = [{ kind: 'property', prop: 'odd', op: 'eq', value: false }];
    expect(await count({ within_ms: 0, filters })).toEqual({ count: 50, is_complete: false, estimate: 5001 });
    expect(await count({ within_ms: 0 })).toEqual({ count: 10_001, is_complete: true, estimate: 10_001 });
    expect(await count({ within_ms: 10_000, filters })).toEqual({ count: 5001, is_complete: true, estimate: 5001 });
    expect(await count({ filters })).toEqual({ count: 5001 });
    expect((await api.post('/v3/analyze/profiles/count', { within_ms: -1 }, { as })).status).toBe(422);

    const actor = { id: as.user_id, role: 'owner' } as const;
    const ctx = createContext(api.app, { account: { id: as.account_id }, actor });
    const all = { filters: [{ kind: 'property', prop: 'odd', op: 'ex' } as const], filters_op: 'and' } as const;
    const matching = { ...all, filters: [...all.filters] };
    // A client that expects all of them does not get a part of the number.
    await expect(countProfiles(ctx, matching, 0)).rejects.toMatchObject({
      code: 422,
      messages: [expect.stringMatching(/longer than .* `within_ms`/)],
    });
    // The count ends between two chunks when the client has left.
    let checks = 0;
    const signal = () => ({ aborted: ++checks === 3 }) as AbortSignal;
    const request = Object.defineProperty({}, 'signal', { get: signal }) as NonNullable<typeof ctx.request>;
    await expect(countProfiles({ ...ctx, request }, matching)).rejects.toMatchObject({ code: 429 });
    expect(checks).toBe(3);
    checks = 0;
    const none = {
      filters: [{ kind: 'property', prop: 'plan', op: 'eq', value: 'no such' }],
      filters_op: 'and',
    } as const;
    const page = { limit: 50, expand: { profile: 'min', company: 'min' } } as const;
    const leaving = {
      signal: {
        get aborted() {
          return ++checks === 3;
        },
      },
    } as typeof request;
    const search = () => searchProfiles({ ...ctx, request: leaving }, { ...page, ...none, filters: [...none.filters] });
    await expect(search()).rejects.toMatchObject({ code: 429 });
    expect(checks).toBe(3);
  });

  it.each(['GET', 'POST'])('%s counts profiles', async (method) => {
    const { status, body } = await api.send(method, '/v3/analyze/profiles/count');
    expect([status, body]).toEqual([200, { count: 3 }]);
  });

  it.each([
    ['a property', [plan('pro')], 'a'],
    ['a property of the Company', [{ kind: 'property', prop: 'company.plan', op: 'eq', value: 'silver' }], 'c'],
    ['a Company at all', [{ kind: 'property', prop: 'company.id', op: 'nx' }], 'b'],
    ['a number', [{ kind: 'property', prop: 'seats', op: 'gt', value: 9 }], 'b'],
    ['a time', [{ kind: 'property', prop: 'joined_at', op: 'lt-d', value: 30 }], 'b'],
    ['the creation', [{ kind: 'property', prop: 'created_at', op: 'gt-d', value: 1 }], 'cba'],
    ['a part of a text', [plan('r', 'in')], 'ba'],
    ['a part of a text ignoring case', [plan('PR', 'in-i')], 'a'],
    ['no such part', [plan('PR', 'nin-i')], 'cb'],
    ['one of a list', [plan('pro, gold', 'in-v')], 'a'],
    ['none of a list', [plan('pro, gold', 'nin-v')], 'cb'],
    ['a part of an email in capitals', [{ kind: 'property', prop: 'email', op: 'in', value: 'NN@ACME' }], 'a'],
    ['an email in capitals', [{ kind: 'property', prop: 'email', op: 'eq', value: 'ANN@acme.TEST' }], 'a'],
    ['a list', [{ kind: 'property', prop: 'tags', op: 'in-a', value: ['1'] }], 'c'],
    ['an event', [{ kind: 'event', value: 'signedIn' }], 'ba'],
    ['no event', [{ kind: 'event', op: 'nx', value: 'signedIn' }], 'c'],
    ['the count of an event', [{ kind: 'event', value: 'signed_in', mod: 'gte', range: 2 }], 'a'],
    ['the last time of an event', [{ kind: 'event', value: 'signed_in', cond: 'lt-d', int: 1 }], ''],
    ['a tour', [{ kind: 'tour', value: tour }], 'a'],
    ['a tour in a state', [{ kind: 'tour', value: tour, range: 'completed' }], ''],
    ['a tour in a state for days', [{ kind: 'tour', value: tour, range: 'started', cond: 'lt-d', int: 9 }], 'a'],
    ['a survey', [{ kind: 'survey', value: survey }], 'b'],
    ['an answer to a survey', [{ kind: 'survey', value: survey, mod: 'lt', range: 9 }], ''],
    ['a missing key', [plan('pro', 'ne')], 'cb'],
    ['both', [plan('pro'), plan('free')], ''],
    ['a group', [{ kind: 'group', filters: [plan('pro'), plan('free')], filters_op: 'or' }], 'ba'],
    ['nothing', [], 'cba'],
  ])('finds by %s', async (_what, filters, expected) => {
    expect(await found({ filters })).toEqual([...expected].map((who) => ({ a: ann, b: bob, c: cid })[who]));
  });

  it('joins filters with or on request', async () => {
    const filters = [plan('pro'), { kind: 'property', prop: 'seats', op: 'eq', value: 12 }];
    expect(await found({ filters, filters_op: 'or' })).toEqual([bob, ann]);
    expect(await found({ filters, filters_op: 'and' })).toEqual([]);
    expect(await found({ filters })).toEqual([]);
    expect(await found({ filters: [], filters_op: 'or' })).toEqual([cid, bob, ann]);
  });

  it('accepts a Segment, alone and with filters', async () => {
    const segment_id = await addSegment({ items: [plan('pro'), plan('free')], items_op: 'or' });
    expect(await found({ segment_id })).toEqual([bob, ann]);
    expect(await found({ segment_id, filters: [plan('free')] })).toEqual([bob]);
    const filters = [plan('free'), { kind: 'property', prop: 'uid', op: 'eq', value: 'cid' }];
    expect(await found({ segment_id, filters, filters_op: 'or' })).toEqual([bob]);
  });

  it('accepts Segments within filters and within Segments', async () => {
    const inner = await addSegment({ items: [plan('pro')] });
    const outer = await addSegment({ items: [{ kind: 'segment', op: 'nx', value: inner }] });
    expect(await found({ filters: [{ kind: 'segment', value: inner }] })).toEqual([ann]);
    expect(await found({ filters: [{ kind: 'segment', op: 'nx', value: inner }] })).toEqual([cid, bob]);
    expect(await found({ segment_id: outer })).toEqual([cid, bob]);
    expect(await found({ filters: [{ kind: 'segment', op: 'nx', value: outer }] })).toEqual([ann]);
  });

  it.each(['', '/count'])('returns 404 for a Segment of another account %s', async (path) => {
    const foreign = await addSegment({}, api.other);
    const search = (params: object) => api.post(`/v3/analyze/profiles${path}`, params);
    const responses = [
      await search({ segment_id: unknownId }),
      await search({ segment_id: foreign }),
      await search({ filters: [{ kind: 'segment', value: foreign }] }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
  });

  it('finds no profile of another account', async () => {
    expect(await found({}, api.other)).toHaveLength(1);
    for (const filters of [[plan('pro')], [{ kind: 'property', prop: 'id', op: 'eq', value: ann }]])
      expect(await found({ filters }, api.other)).not.toContain(ann);
    const elsewhere = await newAccount('elsewhere');
    expect(await found({ filters: [plan('pro', 'ne')] }, elsewhere)).toEqual([]);
  });

  it.each([
    ['filters=[{"kind":"property","prop":"plan","op":"eq","value":"pro"}]'],
    ['filters[0][kind]=property&filters[0][prop]=plan&filters[0][op]=eq&filters[0][value]=pro'],
    ['filters[0][kind]=property&filters[0][prop]=Plan&filters[0][op]=in-v&filters[0][value]=pro,gold'],
    ['filters[0][kind]=property&filters[0][prop]=plan&filters[0][op]=in-v&filters[0][value][]=pro'],
    ['filters[0][kind]=property&filters[0][prop]=seats&filters[0][op]=lt&filters[0][value]=10'],
    [
      'filters[0][kind]=group&filters[0][filters][0][kind]=property&filters[0][filters][0][prop]=email&filters[0][filters][0][op]=ex',
    ],
  ])('accepts filters in the URL: %s', async (query) => {
    const encoded = query.replace(/=(\[.*)$/, (_, json) => `=${encodeURIComponent(json)}`);
    expect(ids((await api.get('/v3/analyze/profiles', { query: encoded })).body.profiles)).toEqual([ann]);
    expect((await api.get('/v3/analyze/profiles/count', { query: encoded })).body).toEqual({ count: 1 });
  });

  it('accepts filters in a form', async () => {
    const body = new URLSearchParams({ filters: JSON.stringify([plan('pro')]), 'expand[profile]': 'skip' }).toString();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const response = await api.send('POST', '/v3/analyze/profiles', { body, headers });
    expect(response.body.profiles).toEqual([{ id: ann }]);
  });

  it.each([
    ['filters', { filters: 5 }],
    ['filters[1].op', { filters: [plan('pro'), plan('pro', 'like')] }],
    ['filters[0].filters[0].kind', { filters: [{ kind: 'group', filters: [{ kind: 'user' }] }] }],
    ['filters[0].value', { filters: [plan(null)] }],
    ['filters[0].value', { filters: [plan('2026-02-30T00:00:00.000Z', 'gt')] }],
    ['filters[0].op', { filters: [{ kind: 'event', value: 'a', op: { toString: 'x' } }] }],
    ['filters_op', { filters: [], filters_op: 'xor' }],
    ['segment_id', { segment_id: 'all' }],
  ])('rejects an invalid %s %#', async (path, params) => {
    for (const address of ['/v3/analyze/profiles', '/v3/analyze/profiles/count']) {
      const { status, body } = await api.post(address, params);
      expect(status).toBe(422);
      expect(body.messages).toEqual([expect.stringContaining(`\`${path}\``)]);
    }
  });

  it.each([
    ['expand.profile', { expand: { profile: 'none' } }],
    ['limit', { limit: 0 }],
    ['before', { before: 'yesterday' }],
  ])('rejects an invalid %s', async (path, params) => {
    const { status, body } = await search(params);
    expect(status).toBe(422);
    expect(body.messages).toEqual([expect.stringContaining(`\`${path}\``)]);
  });

  it('compares with numbers that are too large for any column', async () => {
    for (const value of [1e21, -1e300, 0.5, 2 ** 63, '9223372036854775808.5'])
      for (const prop of ['last_seen_session_count', 'browser_x', 'percent', 'seats', 'created_at'])
        for (const op of ['eq', 'ne', 'gt', 'lte'])
          expect((await search({ filters: [{ kind: 'property', prop, op, value }] })).status).toBe(200);
    expect(await found({ filters: [{ kind: 'event', value: 'signed_in', mod: 'lt', range: 1.5 }] })).toEqual([
      cid,
      bob,
    ]);
    expect(await found({ filters: [{ kind: 'event', value: 'signed_in', mod: 'lt', range: 1e21 }] })).toEqual([
      cid,
      bob,
      ann,
    ]);
    expect(await found({ filters: [{ kind: 'survey', value: survey, mod: 'gt', range: -1e21 }] })).toEqual([bob]);
  });

  it('finds an integer of 19 digits', async () => {
    const as = await newAccount('digits');
    const big = 1234567890123456800;
    const id = await save({ uid: 'big', big, bigs: [big] }, as);
    for (const [prop, op, value] of [
      ['big', 'eq', big],
      ['big', 'gte', big],
      ['big', 'lte', big],
      ['bigs', 'in-a', [big]],
    ])
      expect(await found({ filters: [{ kind: 'property', prop, op, value }] }, as)).toEqual([id]);
  });

  it('finds a profile directly after the response to its write', async () => {
    const as = await newAccount('writes');
    for (let round = 0; round < 20; round++) {
      const id = await save({ uid: 'one', round }, as);
      expect(await found({ filters: [{ kind: 'property', prop: 'round', op: 'eq', value: round }] }, as)).toEqual([id]);
    }
  });
});

describe('expand', () => {
  const byAnn = { filters: [{ kind: 'property', prop: 'uid', op: 'eq', value: 'ann' }] };
  const annWith = async (expand?: object) => (await search({ ...byAnn, ...(expand && { expand }) })).body.profiles[0];

  it('returns complete profiles and short Companies by default', async () => {
    const profile = await annWith();
    expect(profile).toMatchObject({ id: ann, uid: 'ann', email: 'Ann@Acme.test', plan: 'pro', seats: 5 });
    expect(Object.keys(profile.company)).toEqual(['id', 'created_at', 'uid']);
    expect(await annWith({ profile: 'all' })).toEqual(profile);
    expect(await annWith({ company: 'min' })).toEqual(profile);
  });

  it('returns as much as expand says', async () => {
    const { company, ...rest } = await annWith();
    expect(await annWith({ company: 'skip' })).toEqual(rest);
    expect((await annWith({ company: 'all' })).company).toMatchObject({ ...company, plan: 'gold' });
    const { id, created_at, updated_at, uid } = rest;
    expect(await annWith({ profile: 'min' })).toEqual({ id, created_at, updated_at, uid, company });
    expect(await annWith({ profile: 'min', company: 'skip' })).toEqual({ id, created_at, updated_at, uid });
    expect(await annWith({ profile: 'skip' })).toEqual({ id });
    expect(await annWith({ profile: 'skip', company: 'all' })).toEqual({ id });
  });

  it('accepts expand in the URL', async () => {
    const { body } = await api.get('/v3/analyze/profiles', {
      query: 'expand[profile]=min&expand[company]=skip&limit=1',
    });
    expect(Object.keys(body.profiles[0])).toEqual(['id', 'created_at', 'updated_at', 'uid']);
  });
});

describe('pages', () => {
  let as: CreatedAccount;
  let all: string[];
  beforeAll(async () => {
    as = await newAccount('pages');
    const profiles = Array.from({ length: 130 }, (_, index) => ({ uid: `p${index}`, even: index % 2 === 0 }));
    await api.post('/v3/observe/hooks/profiles/batch', { profiles }, { as });
    all = ids((await search({ limit: 500 }, as)).body.profiles);
  });
  const even = { filters: [{ kind: 'property', prop: 'even', op: 'eq', value: true }] };

  it('returns every profile exactly once on all pages', async () => {
    expect(new Set(all).size).toBe(130);
    for (const [params, expected] of [
      [{}, 130],
      [even, 65],
    ] as const) {
      const seen: string[] = [];
      for (let before: string | null | undefined; before !== null; ) {
        const { body }: { body: { profiles: { id: string }[]; cursor: { limit: number; before: string | null } } } =
          await search({ ...params, limit: 17, ...(before && { before }) }, as);
        expect(body.cursor.limit).toBe(17);
        expect(body.profiles.length).toBeLessThanOrEqual(17);
        seen.push(...ids(body.profiles));
        before = body.cursor.before;
      }
      expect(seen).toHaveLength(expected);
      expect(seen).toEqual(all.filter((id) => seen.includes(id)));
    }
  });

  it('accepts an ID or a time as before and after', async () => {
    const [third, seventh] = [all[2], all[6]];
    expect(ids((await search({ before: third, after: seventh }, as)).body.profiles)).toEqual(all.slice(3, 6));
    const past = toTimestamp(Date.now() - DAY);
    expect((await search({ before: past }, as)).body).toEqual({ profiles: [], cursor: { limit: 50, before: null } });
    expect(ids((await search({ after: past, limit: 500 }, as)).body.profiles)).toEqual(all);
    expect(ids((await search({ before: firstIdAt(Date.now() + DAY), limit: 2 }, as)).body.profiles)).toEqual(
      all.slice(0, 2),
    );
  });

  it('does not limit the count by the size of a page', async () => {
    const { body } = await api.post('/v3/analyze/profiles/count', { ...even, limit: 1 }, { as });
    expect(body).toEqual({ count: 65 });
  });
});

describe('limits', () => {
  const ops = ['in', 'nin', 'in-i', 'nin-i', 'in-v', 'nin-v', 'in-a', 'nin-a', 'in-vi', 'nin-vi'];
  const values = Array.from({ length: 500 }, (_, index) => `v${index}`);

  it.each(ops)('accepts the maximum number of values for %s', async (op) => {
    const filter = { kind: 'property', prop: 'company.a.b.c.d', op, value: values };
    const expected = op.startsWith('n') ? [cid, bob, ann] : [];
    for (const filters_op of ['and', 'or'])
      expect(await found({ filters: [filter, filter], filters_op })).toEqual(expected);
  });

  it('rejects more values than the maximum in total', async () => {
    for (const count of [3, 200]) {
      const { status, body } = await search({ filters: Array(count).fill(plan(values, 'in-i')) });
      expect(status).toBe(422);
      expect(body.messages[0]).toContain('`filters[2].value` brings the values to 1500');
    }
  });

  it('accepts 1000 filters in Segments, wide or deep', async () => {
    const path = { kind: 'property', prop: 'company.a.b.c.d', op: 'eq', value: 'x' };
    for (const items_op of ['and', 'or']) {
      let segment_id = await addSegment({ items: Array(190).fill(path), items_op });
      for (let level = 0; level < 4; level++) {
        const inner = { kind: 'segment', op: 'nx', value: segment_id };
        segment_id = await addSegment({ items: [inner, ...Array(190).fill(path)], items_op });
      }
      expect(await found({ segment_id })).toEqual([]);
      const outside = { kind: 'segment', op: 'nx', value: segment_id };
      expect(await found({ filters: [outside, plan(values, 'nin-i'), plan(values, 'nin-v')] })).toEqual([
        cid,
        bob,
        ann,
      ]);
    }
  });
});

describe.runIf(engine === 'postgres')('on PostgreSQL', () => {
  let as: CreatedAccount;
  /** Runs SQL without the check that queries name the account, which cannot parse EXPLAIN. */
  const run = (text: string, parameters: readonly unknown[] = []) => CompiledQuery.raw(text, [...parameters]);

  beforeAll(async () => {
    as = await newAccount('plans');
    const profiles = Array.from({ length: 2000 }, (_, index) => ({
      uid: `p${index}`,
      email: `p${index}@acme.test`,
      plan: `plan ${index % 500}`,
    }));
    await api.post('/v3/observe/hooks/profiles/batch', { profiles }, { as });
    await api.app.storage.write(as.account_id, async (db) => {
      const last_seen_at = sql<number>`${Date.now()} - cast(substr(uid, 2) as integer) * ${DAY}::bigint`;
      await db.updateTable('profiles').set({ last_seen_at }).where('account_id', '=', as.account_id).execute();
      await db.executeQuery(run('analyze profiles'));
    });
  });

  async function planOf(filter: object): Promise<string> {
    const actor = { id: unknownId, name: 'A', email: 'a@acme.test', role: 'owner' as const };
    const ctx = createContext(api.app, { account: { id: as.account_id }, actor });
    const filters = readFilters([{ kind: 'property', ...filter }], 'filters', []) ?? [];
    const query = await queryProfiles(ctx, { filters, filters_op: 'and' });
    const compiled = query().selectAll('profiles').compile();
    return api.app.storage.write(as.account_id, async (db) => {
      await db.executeQuery(run('set local enable_seqscan = off'));
      const { rows } = await db.executeQuery(run(`explain ${compiled.sql}`, compiled.parameters));
      return JSON.stringify(rows);
    });
  }

  it.each([
    ['uid', 'eq', 'p7', 'profiles_account_id_uid_key'],
    ['email', 'eq', 'P7@acme.test', 'profiles_by_email'],
    ['plan', 'eq', 'plan 7', 'profiles_by_custom'],
    ['last_seen_at', 'gt-d', 7, 'profiles_by_last_seen'],
    ['last_seen_at', 'lt-d', 1995, 'profiles_by_last_seen'],
    ['last_seen_at', 'gt', '$DAY', 'profiles_by_last_seen'],
  ])('finds %s %s by an index', async (prop, op, value, index) => {
    const since = value === '$DAY' ? toTimestamp(Date.now() - DAY) : value;
    expect(await planOf({ prop, op, value: since })).toContain(index);
  });
});
