import { timeOfId } from '@usher/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, startApi } from '../../../../test/api.ts';
import { loadPage } from '../../../../test/open-page.ts';
import { recountUse } from '../../../../test/use-rows.ts';
import { sweepEvents } from './sweep-events.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
beforeEach(() => api.replaceAccounts());
afterAll(() => api.stop());

const BATCH = '/v3/observe/hooks/events/batch';
const DAY_MS = 24 * 60 * 60_000;
const unknownId = 'f'.repeat(24);
const daysAgo = (days: number) => Date.now() - days * DAY_MS;
const timestamp = (time: number) => new Date(time).toISOString();

const sendMany = (events: unknown) => api.post(BATCH, { events });
async function trackMany(events: unknown[]): Promise<void> {
  const { status, text, body } = await sendMany(events);
  expect([status, text]).toEqual([202, `{"batch":{"id":"${body.batch?.id}"}}`]);
}
const findId = async (uid: string): Promise<string> =>
  (await api.get('/v3/analyze/profile', { query: `uid=${uid}` })).body.profile.id;

/** The events of a user in their order, and their counts. */
async function stored(uid: string) {
  const { account_id } = api.account;
  const profileId = await findId(uid);
  const db = api.app.storage.reader(account_id);
  const events = db.selectFrom('events').select(['id', 'name', 'custom']).where('account_id', '=', account_id);
  const counts = db.selectFrom('profile_events').select(['name', 'count', 'first_at', 'last_at']);
  return {
    events: (await events.where('profile_id', '=', profileId).orderBy('id').execute()).map(({ id, ...event }) => ({
      at: timeOfId(id),
      ...event,
    })),
    counts: await counts
      .where('account_id', '=', account_id)
      .where('profile_id', '=', profileId)
      .orderBy('name')
      .execute(),
  };
}
const errorOf = (code: number, index: number, message: string) => ({
  code,
  index,
  message: expect.stringContaining(message),
});

describe('a batch of events', () => {
  it.each([
    ['a parameter', (secret: string) => `${BATCH}?account_secret=${secret}`],
    ['the path', (secret: string) => BATCH.replace('hooks', `hooks/${secret}`)],
  ])('accepts the secret in %s', async (_where, pathOf) => {
    const path = pathOf(api.account.account_secret);
    const { status } = await api.post(path, { events: [{ uid: 'ann', name: 'Opened' }] }, { as: null });
    expect(status).toBe(202);
    expect((await stored('ann')).events).toHaveLength(1);
  });

  it('stores events of new and known users with their properties', async () => {
    await api.post('/v3/observe/hooks/profiles', { uid: 'ann', plan: 'pro' });
    const id = await findId('ann');
    await trackMany([
      { uid: 'ann', name: 'Report Exported', fileSize: '12', gone: null },
      { uid: 'bob', name: 'report-exported' },
      { id, name: 'reportExported', email: 'x@example.com' },
    ]);
    expect((await stored('ann')).events).toMatchObject([
      { name: 'report_exported', custom: { file_size: 12 } },
      { name: 'report_exported', custom: { email: 'x@example.com' } },
    ]);
    expect((await stored('bob')).counts).toMatchObject([{ name: 'report_exported', count: 1 }]);
    const { profile } = (await api.get('/v3/analyze/profile', { query: 'uid=ann' })).body;
    expect(profile).toMatchObject({ plan: 'pro', email: null });
  });

  it('stores valid events, and returns the index and the error of each invalid one', async () => {
    await api.post('/v3/observe/hooks/profiles', { uid: 'ann' });
    const id = await findId('ann');
    const large = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`key_${n}`, 'x'.repeat(700)]));
    const { status, body } = await sendMany([
      { uid: 'ann', name: 'First' },
      { name: 'a' },
      { uid: 'ann' },
      { uid: 'ann', name: '!?' },
      { id: unknownId, name: 'a' },
      { id, uid: 'bob', name: 'a' },
      'text',
      { uid: 'ann', name: 'a', title: '\0' },
      { uid: 'ann', name: 'a', ...large },
      { uid: 'ann', name: 'a', occurred_at: timestamp(daysAgo(366)) },
      { uid: 'ann', name: 'a', occurred_at: '+1d' },
      { uid: 'ann', name: 'a', occurred_at: 'yesterday' },
      { uid: 'ann', name: 'a', idempotency_key: 'k'.repeat(65) },
      { uid: 'ann', name: 'Last' },
    ]);
    expect(status).toBe(202);
    expect(body.errors).toEqual([
      errorOf(422, 1, '`uid` is required'),
      errorOf(422, 2, '`name` is required'),
      errorOf(422, 3, '`name` must have a letter'),
      errorOf(404, 4, 'no profile with this ID'),
      errorOf(422, 5, '`id` and `uid` are of different profiles'),
      errorOf(422, 6, 'must be an object'),
      errorOf(422, 7, '`title` must'),
      errorOf(422, 8, 'more than 128 KB'),
      errorOf(422, 9, '`occurred_at` must be a time of the last 365 days'),
      errorOf(422, 10, '`occurred_at` must be a time of the last 365 days'),
      errorOf(422, 11, '`occurred_at` must be a time'),
      errorOf(422, 12, '`idempotency_key`'),
    ]);
    expect((await stored('ann')).events.map(({ name }) => name)).toEqual(['first', 'last']);
  });

  it.each([{}, { events: null }, { events: 'text' }, { profiles: [] }])('requires a list, not %j', async (params) => {
    const { status, body } = await api.post(BATCH, params);
    expect([status, body.messages]).toEqual([422, [expect.stringContaining('`events` is required: give a list')]]);
  });

  it('rejects a body above 16 MB', async () => {
    const headers = { 'Content-Type': 'application/json' };
    expect((await api.post(BATCH, ' '.repeat(16 * 1024 * 1024 + 1), { headers })).status).toBe(413);
  });

  it('orders events by when they happened, and counts the first and the last', async () => {
    const [old, older, middle] = [daysAgo(10), daysAgo(300), daysAgo(100)];
    await trackMany([
      { uid: 'ann', name: 'Opened', occurred_at: timestamp(old) },
      { uid: 'ann', name: 'Opened', occurred_at: timestamp(older), n: 1 },
      { uid: 'ann', name: 'Opened', occurred_at: timestamp(older), n: 2 },
    ]);
    await api.post('/v3/observe/hooks/events', { uid: 'ann', name: 'Opened' });
    const before = await stored('ann');
    await trackMany([{ uid: 'ann', name: 'Opened', occurred_at: Math.round(middle / 1000) }]);
    const { events, counts } = await stored('ann');
    const now = before.events.at(-1)?.at ?? 0;
    expect(events.map(({ at, custom }) => [at, custom])).toEqual([
      [older, { n: 1 }],
      [older, { n: 2 }],
      [Math.round(middle / 1000) * 1000, {}],
      [old, {}],
      [now, {}],
    ]);
    expect(counts).toEqual([{ name: 'opened', count: 5, first_at: older, last_at: now }]);
    const timeline = await api.get(`/v3/edit/profiles/${await findId('ann')}/timeline`, { query: 'kinds=tracked' });
    expect(timeline.body.entries.map(({ at }: { at: string }) => Date.parse(at))).toEqual(
      events.map(({ at }) => at).reverse(),
    );
  });

  it('deletes single events by when they happened, and keeps the counts', async () => {
    await trackMany([31, 29].map((days) => ({ uid: 'ann', name: 'Opened', occurred_at: timestamp(daysAgo(days)) })));
    await sweepEvents(api.app, 30);
    const { events, counts } = await stored('ann');
    expect([events.length, counts]).toEqual([1, [expect.objectContaining({ count: 2 })]]);
  });

  it('stores an event with the same idempotency key once for each user', async () => {
    const first = { uid: 'ann', name: 'Opened', idempotency_key: 'a', occurred_at: timestamp(daysAgo(2)) };
    await trackMany([first, { ...first, n: 2 }, { ...first, uid: 'bob' }, { ...first, idempotency_key: 'b' }]);
    await trackMany([
      { ...first, occurred_at: timestamp(daysAgo(3)) },
      { uid: 'ann', name: 'Closed' },
    ]);
    expect((await stored('ann')).counts).toMatchObject([
      { name: 'closed', count: 1 },
      { name: 'opened', count: 2, first_at: Date.parse(first.occurred_at) },
    ]);
    expect((await stored('ann')).events).toHaveLength(3);
    expect((await stored('bob')).events).toHaveLength(1);
  });

  it('changes nothing when a batch with keys is sent again', async () => {
    const events = Array.from({ length: 1200 }, (_, n) => ({
      uid: `u${n % 7}`,
      name: 'Opened',
      idempotency_key: `${n}`,
    }));
    await trackMany(events);
    const before = await stored('u3');
    await trackMany(events);
    expect(await stored('u3')).toEqual(before);
  });

  it('counts 10,000 events of one user', async () => {
    await trackMany(Array.from({ length: 10_000 }, (_, n) => ({ uid: 'ann', name: n % 2 ? 'Opened' : 'Closed', n })));
    expect((await stored('ann')).counts.map(({ name, count }) => [name, count])).toEqual([
      ['closed', 5000],
      ['opened', 5000],
    ]);
  });

  describe('with more events than one transaction stores', () => {
    const idsOf = async (uid: string): Promise<string[]> => {
      const { account_id } = api.account;
      const events = api.app.storage.reader(account_id).selectFrom('events').select(['id', 'custom']);
      const ofUser = events.where('account_id', '=', account_id).where('profile_id', '=', await findId(uid));
      return (await ofUser.orderBy('id').execute()).map(({ id }) => id);
    };

    it('stores the events of each user together, in their order', async () => {
      for (const uid of ['zoe', 'ann']) await api.post('/v3/observe/hooks/profiles', { uid });
      await trackMany(
        Array.from({ length: 2500 }, (_, n) => ({ uid: ['ann', 'new', 'zoe'][n % 3], name: 'Opened', n })),
      );
      // Profiles are ordered by when they were created.
      const ids = [await idsOf('zoe'), await idsOf('ann'), await idsOf('new')];
      expect(ids.map(({ length }) => length)).toEqual([833, 834, 833]);
      expect(ids.flat()).toEqual(ids.flat().sort());
      for (const [uid, first] of [['ann', 0] as const, ['new', 1] as const, ['zoe', 2] as const]) {
        const { events } = await stored(uid);
        expect(events.map(({ custom }) => custom)).toEqual(events.map((_, at) => ({ n: first + 3 * at })));
      }
    });

    it('stores the first event of each idempotency key', async () => {
      await api.post('/v3/observe/hooks/profiles', { uid: 'ann' });
      const keys = Array.from({ length: 1500 }, (_, n) => ({ uid: 'ann', name: 'Opened', idempotency_key: `${n}` }));
      await trackMany([...keys.map((event) => ({ ...event, n: 1 })), ...keys.map((event) => ({ ...event, n: 2 }))]);
      const { events } = await stored('ann');
      expect(events).toHaveLength(1500);
      expect(events.every(({ custom }) => JSON.stringify(custom) === '{"n":1}')).toBe(true);
    });

    it('returns the errors in the order of the events', async () => {
      const wrong: [at: number, event: unknown, error: [code: number, message: string]][] = [
        [3, { uid: 'a\0', name: 'a' }, [422, '`uid`']],
        [4, { uid: '\ud800', name: 'a' }, [422, '`uid`']],
        [700, { id: unknownId, name: 'a' }, [404, 'no profile with this ID']],
        [1999, null, [422, 'must be an object']],
        [2200, { uid: { a: 1 }, name: 'a' }, [422, '`uid`']],
        [2499, { uid: 'ann' }, [422, '`name` is required']],
      ];
      const events: unknown[] = Array.from({ length: 2500 }, (_, n) => ({ uid: `u${n % 9}`, name: 'Opened' }));
      for (const [at, event] of wrong) events[at] = event;
      const { status, body } = await sendMany(events);
      expect(status).toBe(202);
      expect(body.errors).toEqual(wrong.map(([at, , [code, message]]) => errorOf(code, at, message)));
      let count = 0;
      for (let n = 0; n < 9; n++) count += (await stored(`u${n}`)).events.length;
      expect(count).toBe(2500 - wrong.length);
    });
  });

  it('registers names and properties before it responds', async () => {
    await trackMany([{ uid: 'ann', name: 'Report exported', format: 'pdf', occurred_at: timestamp(daysAgo(5)) }]);
    const names = (await api.get('/v3/edit/event_names')).body.event_names;
    expect(names).toMatchObject([{ name: 'Report exported', uid: 'report_exported', source: 'api_v3' }]);
    const { properties } = (await api.get('/v3/edit/properties', { query: 'kind=event' })).body;
    expect(properties.map(({ prop }: { prop: string }) => prop)).toEqual(['format']);
  });

  it('registers a limited number of names, and stores the events with other names', async () => {
    const many = 12_000;
    await trackMany(Array.from({ length: many }, (_, n) => ({ uid: 'ann', name: `Name ${n}` })));
    expect((await stored('ann')).counts).toHaveLength(many);
  });

  it('meets a goal only with an event after the start, at the time of the event', async () => {
    const tour = { name: 'Welcome', steps: [{ title: 'Hello' }], goal: 'Signed up', published_at: '$now' };
    const { id } = (await api.post('/v3/edit/tours', tour)).body.tour;
    const startedAt: number[] = [];
    for (const uid of ['ann', 'bob']) {
      const page = await loadPage(api, uid);
      expect((await page.report({ experience_id: id, state: 'started' })).status).toBe(200);
      startedAt.push(Date.now());
    }
    const [, after = 0] = startedAt;
    await trackMany([
      { uid: 'ann', name: 'Signed up', occurred_at: timestamp(daysAgo(1)) },
      { uid: 'bob', name: 'Signed up', occurred_at: timestamp(daysAgo(1)) },
      { uid: 'bob', name: 'Signed up' },
      { uid: 'bob', name: 'Signed up', occurred_at: timestamp(after) },
    ]);
    const { account_id } = api.account;
    const db = api.app.storage.reader(account_id);
    const goalOf = async (uid: string) => {
      const query = db.selectFrom('interactions').select('goal_at').where('account_id', '=', account_id);
      return (await query.where('profile_id', '=', await findId(uid)).executeTakeFirstOrThrow()).goal_at;
    };
    expect([await goalOf('ann'), await goalOf('bob')]).toEqual([null, after]);
  });

  it('meets the goals of many users with a few statements, and counts each', async () => {
    const tour = { name: 'Welcome', steps: [{ title: 'Hello' }], goal: 'Signed up', published_at: '$now' };
    const { id } = (await api.post('/v3/edit/tours', tour)).body.tour;
    const uids = Array.from({ length: 30 }, (_, n) => `user ${n}`);
    for (const uid of uids) {
      const page = await loadPage(api, uid);
      expect((await page.report({ experience_id: id, state: 'started' })).status).toBe(200);
    }
    await api.patch('/v3/edit/profiles', { uid: 'user 0', test: true });
    const run = vi.spyOn(api.app.storage, 'runSql');
    onTestFinished(() => run.mockRestore());
    const events = uids.map((uid) => ({ uid, name: 'Signed up' }));
    await trackMany([...events, { uid: 'nobody', name: 'Signed up' }, ...events]);
    expect(run.mock.calls.filter(([, text]) => text.includes('goal')).length).toBeLessThan(8);
    const { stats } = (await api.get(`/v3/analyze/tours/${id}/stats`)).body;
    expect(stats.totals).toMatchObject({ started: 29, goal: 29 });
    const before = await accountRows(api.app, api.account.account_id);
    await recountUse(api.app, api.account.account_id);
    expect((await accountRows(api.app, api.account.account_id)).activity_counts).toEqual(before.activity_counts);
  });
});
