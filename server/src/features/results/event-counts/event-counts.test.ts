import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { openDomain, visit } from '../../../../test/visiting.ts';
import { sweepEvents } from '../../audience/events/sweep-events.ts';
import { createAccount } from '../../team/accounts/create-account.ts';

type Account = Api['account'];

const DAY_MS = 24 * 60 * 60_000;
let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
  await openDomain(api);
});
afterAll(() => api.stop());

let made = 0;
const newAccount = () => createAccount(api.app, { name: 'Counts', email: `counts-${made++}@acme.test` });
const track = (as: Account, uid: string, name: string, more: object = {}) =>
  api.post('/v3/observe/hooks/events', { uid, name, ...more }, { as });
const trackBatch = (as: Account, events: object[]) => api.post('/v3/observe/hooks/events/batch', { events }, { as });
const list = async (as: Account, query = '') =>
  (await api.get('/v3/analyze/event_names', { query, as })).body.event_names;
const rowsOf = (as: Account) =>
  api.app.storage
    .reader(as.account_id)
    .selectFrom('event_counts')
    .select(['name', 'quarter', 'count'])
    .where('account_id', '=', as.account_id)
    .orderBy('name')
    .orderBy('quarter')
    .execute();
const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
/** The counts as the rows of events have them. */
async function countRows(as: Account) {
  const events = await api.app.storage
    .reader(as.account_id)
    .selectFrom('events')
    .innerJoin('profiles', (join) =>
      join.onRef('profiles.account_id', '=', 'events.account_id').onRef('profiles.id', '=', 'events.profile_id'),
    )
    .select(['events.id', 'events.name'])
    .where('events.account_id', '=', as.account_id)
    .where('profiles.is_test', '=', false)
    .execute();
  const counts = new Map<string, { name: string; quarter: number; count: number }>();
  for (const { id, name } of events) {
    const quarter = Math.floor(Number.parseInt(id.slice(0, 8), 16) / 900);
    const key = `${name} ${quarter}`;
    counts.set(key, { name, quarter, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()].sort((one, other) =>
    one.name === other.name ? one.quarter - other.quarter : one.name < other.name ? -1 : 1,
  );
}

describe('counts of events', () => {
  it('lists how often each event was tracked in a day, a week and a month', async () => {
    const as = await newAccount();
    await trackBatch(as, [
      { uid: 'ann', name: 'Paid', occurred_at: ago(2), plan: 'pro' },
      { uid: 'bob', name: 'Paid', occurred_at: ago(2) },
      { uid: 'ann', name: 'Paid', occurred_at: ago(12) },
      { uid: 'ann', name: 'Paid', occurred_at: ago(40) },
    ]);
    await track(as, 'ann', 'Paid', { seats: 3 });
    await track(as, 'ann', 'Opened');
    const [opened, paid] = await list(as);
    expect(opened).toMatchObject({ uid: 'opened', sources: ['api_v3'], properties: [] });
    expect(opened.counts).toEqual({ last_24_hours: 1, last_7_days: 1, last_30_days: 1 });
    expect(paid.counts).toEqual({ last_24_hours: 1, last_7_days: 3, last_30_days: 4 });
    expect(paid).toMatchObject({ sources: ['batch', 'api_v3'], properties: ['seats', 'plan'] });
    expect(paid.days).toHaveLength(30);
    expect([paid.days[29], paid.days[27], paid.days[17]]).toEqual([1, 2, 1]);
  });

  it('counts days in the time zone of the account, also where it is not a whole hour from UTC', async () => {
    const as = await newAccount();
    await api.patch('/v3/edit/account', { time_zone: 'Asia/Kathmandu' }, { as });
    const now = new Date();
    const offset = 5.75 * 60 * 60_000;
    const midnight = Math.floor((now.getTime() + offset) / DAY_MS) * DAY_MS - offset;
    const at = (ms: number) => new Date(midnight - 3 * DAY_MS + ms).toISOString();
    await trackBatch(as, [
      { uid: 'ann', name: 'Paid', occurred_at: at(-1000) },
      { uid: 'ann', name: 'Paid', occurred_at: at(1000) },
      { uid: 'ann', name: 'Paid', occurred_at: at(2000) },
    ]);
    const [paid] = await list(as);
    expect([paid.days[25], paid.days[26]]).toEqual([1, 2]);
    const { event_name } = (await api.get(`/v3/analyze/event_names/${paid.id}`, { query: 'days=5', as })).body;
    const date = new Date(midnight - 3 * DAY_MS + offset).toISOString().slice(0, 10);
    expect(event_name.days).toHaveLength(5);
    expect(event_name.days[1]).toEqual({ date, count: 2 });
  });

  it('counts an event once that is sent again with its idempotency key', async () => {
    const as = await newAccount();
    for (const _ of [1, 2]) await track(as, 'ann', 'Paid', { idempotency_key: 'one' });
    expect((await list(as))[0].counts.last_24_hours).toBe(1);
  });

  it('stays exact when users are cleared, forgotten and marked as test users', async () => {
    const as = await newAccount();
    const users = ['ann', 'bob', 'cid', 'dan'];
    const events = users.flatMap((uid, at) =>
      Array.from({ length: 30 }, (_, n) => ({
        ...{ uid, name: n % 3 === 0 ? 'Paid' : `Of ${uid}` },
        ...(n % 2 === 0 && { occurred_at: ago(n + at) }),
      })),
    );
    await trackBatch(as, events);
    const check = async () => {
      const rows = await rowsOf(as);
      expect(rows.map((row) => ({ ...row, count: Number(row.count), quarter: Number(row.quarter) }))).toEqual(
        await countRows(as),
      );
      return rows;
    };
    expect((await check()).length).toBeGreaterThan(40);
    await api.send('DELETE', '/v3/edit/profiles/forget', { query: 'uid=ann', as });
    expect((await check()).map(({ name }) => name)).not.toContain('of_ann');
    await api.send('DELETE', '/v3/edit/profiles', { query: 'uid=bob', as });
    expect((await check()).map(({ name }) => name)).not.toContain('of_bob');
    const { profile } = (await api.get('/v3/analyze/profile', { query: 'uid=cid', as })).body;
    await api.patch(`/v3/edit/profiles/${profile.id}`, { test: true }, { as });
    expect((await check()).map(({ name }) => name)).not.toContain('of_cid');
    await track(as, 'cid', 'Paid');
    await check();
    await api.patch(`/v3/edit/profiles/${profile.id}`, { test: false }, { as });
    expect((await check()).map(({ name }) => name)).toContain('of_cid');
  });

  it('deletes counts of more than 90 days', async () => {
    const as = await newAccount();
    await trackBatch(as, [
      { uid: 'ann', name: 'Paid', occurred_at: ago(100) },
      { uid: 'ann', name: 'Paid', occurred_at: ago(80) },
    ]);
    expect(await rowsOf(as)).toHaveLength(2);
    await sweepEvents(api.app, 365);
    expect(await rowsOf(as)).toHaveLength(1);
    await api.send('DELETE', '/v3/edit/profiles/forget', { query: 'uid=ann', as });
    expect(await rowsOf(as)).toEqual([]);
  });
});

describe('one event', () => {
  it('lists the latest events with their users and properties, without test users', async () => {
    const as = await newAccount();
    for (let n = 0; n < 12; n++) await track(as, n % 2 === 0 ? 'ann' : 'bob', 'Paid', { seats: n });
    const [{ id }] = await list(as);
    const path = `/v3/analyze/event_names/${id}/occurrences`;
    const before = (await api.get(path, { as })).body;
    expect(before.occurrences).toHaveLength(10);
    expect(before.occurrences[0]).toMatchObject({ profile: { uid: 'bob', email: null }, properties: { seats: 11 } });
    expect(before.properties).toMatchObject([
      { prop: 'seats', types: ['integer'], values: expect.arrayContaining([11]) },
    ]);
    await api.send('DELETE', '/v3/edit/profiles/forget', { query: 'uid=bob', as });
    const { profile } = before.occurrences[1];
    const after = (await api.get(path, { as })).body;
    expect(new Set(after.occurrences.map((one: { profile: object }) => JSON.stringify(one.profile)))).toEqual(
      new Set([JSON.stringify(profile)]),
    );
    await api.patch(`/v3/edit/profiles/${profile.id}`, { test: true }, { as });
    expect((await api.get(path, { as })).body.occurrences).toEqual([]);
  });

  it('names the Segments and the Experiences that use it, in a draft or published', async () => {
    const as = await newAccount();
    await track(as, 'ann', 'Paid');
    const items = [{ kind: 'group', filters_op: 'or', filters: [{ kind: 'event', op: 'nx', value: 'Paid' }] }];
    const { segment } = (await api.post('/v3/edit/segments', { name: 'Payers', items }, { as })).body;
    const { tour } = (
      await api.post('/v3/edit/tours', { name: 'Pay', goal: 'paid', steps: [{ title: 'Pay' }] }, { as })
    ).body;
    const [row] = await list(as);
    expect(row.uses).toEqual({ segments: 1, experiences: 1 });
    const uses = async () => (await api.get(`/v3/analyze/event_names/${row.id}`, { as })).body.event_name.uses;
    const used = { id: tour.id, kind: 'tour', name: 'Pay' };
    expect(await uses()).toEqual({
      segments: [{ id: segment.id, name: 'Payers' }],
      experiences: [{ ...used, is_in_draft: true }],
      goals: [],
    });
    await api.patch(`/v3/edit/tours/${tour.id}`, { published_at: '$now' }, { as });
    await api.patch(`/v3/edit/tours/${tour.id}`, { goal: null }, { as });
    expect((await uses()).experiences).toEqual([{ ...used, is_in_draft: false }]);
    expect((await list(as))[0].uses.experiences).toBe(0);
  });

  it('counts events of pages with their source', async () => {
    const { body } = await visit(api, { uid: 'eve' });
    await api.post('/v3/observe/events', { visit_token: body.visit.token, name: 'Pressed' }, { as: null });
    const found = (await list(api.account)).find(({ uid }: { uid: string }) => uid === 'pressed');
    expect(found).toMatchObject({ sources: ['api_js'], counts: { last_24_hours: 1 } });
  });

  it('leaves out archived names, and goes on counting them', async () => {
    const as = await newAccount();
    await track(as, 'ann', 'Paid');
    const [{ id }] = await list(as);
    await api.patch(`/v3/edit/event_names/${id}`, { hidden: true }, { as });
    await track(as, 'ann', 'Paid');
    expect(await list(as)).toEqual([]);
    expect((await list(as, 'hidden=true'))[0].counts.last_24_hours).toBe(2);
  });

  it('returns 404 for an ID of another account', async () => {
    const as = await newAccount();
    await track(as, 'ann', 'Paid');
    const [{ id }] = await list(as);
    for (const path of ['', '/occurrences'])
      expect((await api.get(`/v3/analyze/event_names/${id}${path}`)).status).toBe(404);
  });
});
