import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type Api, newEmail, startApi } from '../../../../test/api.ts';
import { createApp } from '../../../app.ts';
import { anonymous, createContext } from '../../../create-context.ts';
import { createLog } from '../../../log/log.ts';
import { readSettings } from '../../../settings/settings.ts';
import { type CreatedAccount, createAccount } from '../../team/accounts/create-account.ts';
import { segmentsOf } from '../filters/segments.ts';
import { countSegments } from './count-segments.ts';
import { claimRun, endRun, keepRun, readRun } from './segment-count-run.ts';

let api: Api;
let now = Date.now();
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => now });
});
afterAll(() => api.stop());

const newAccount = () => createAccount(api.app, { name: 'Counted', email: newEmail() });
const contextOf = ({ account_id }: CreatedAccount) =>
  createContext(api.app, { account: { id: account_id }, actor: anonymous });
const plan = (value: string) => ({ kind: 'property', prop: 'plan', op: 'eq', value });

async function addSegment(as: CreatedAccount, name: string, items: object[]): Promise<string> {
  const { status, body } = await api.post('/v3/edit/segments', { name, items }, { as });
  expect([status, body.messages]).toEqual([201, undefined]);
  return body.segment.id;
}

const list = async (as: CreatedAccount) => (await api.get('/v3/analyze/segments', { query: 'limit=500', as })).body;

/** Lists until nothing is counted. */
async function counts(as: CreatedAccount): Promise<Record<string, number | null>> {
  for (;;) {
    const { segments, counting } = await list(as);
    if (!counting)
      return Object.fromEntries(segments.map(({ name, count }: { name: string; count: number }) => [name, count]));
    await pause(50);
  }
}

async function addPeople(as: CreatedAccount, count = 30): Promise<void> {
  const profiles = Array.from({ length: count }, (_, index) => ({
    uid: `u${index}`,
    plan: ['free', 'pro', 'team'][index % 3],
    company: { uid: `c${index % 2}`, size: 10 * (index % 2) },
  }));
  expect((await api.post('/v3/observe/hooks/profiles/batch', { profiles }, { as })).status).toBe(202);
}

it('counts the people of each Segment without test users, as the count of one Segment does', async () => {
  const as = await newAccount();
  await addPeople(as);
  await api.post('/v3/observe/hooks/events', { uid: 'u1', name: 'Paid' }, { as });
  await api.patch('/v3/edit/profiles', { uid: 'u4', test: true }, { as });
  const pro = await addSegment(as, 'Pro', [plan('pro')]);
  await addSegment(as, 'Not pro', [{ kind: 'segment', op: 'nx', value: pro }]);
  await addSegment(as, 'Everybody', []);
  await addSegment(as, 'Large', [{ kind: 'property', prop: 'company.size', op: 'gt', value: 5 }]);
  await addSegment(as, 'Paid', [{ kind: 'event', op: 'ex', value: 'paid' }]);
  const found = await counts(as);
  expect(found).toEqual({ Pro: 9, 'Not pro': 20, Everybody: 29, Large: 15, Paid: 1 });
  for (const { id, name } of (await list(as)).segments) {
    const query = `segment_id=${id}&without_test_users=true`;
    expect((await api.get('/v3/analyze/profiles/count', { query, as })).body.count).toBe(found[name]);
  }
  const [paid] = (await list(as)).segments;
  expect(paid).toMatchObject({ count: 1, estimate: 1, is_complete: true, counted_at: new Date(now).toISOString() });
});

it('counts more Segments than fit into one query, with many filters', async () => {
  const as = await newAccount();
  await addPeople(as);
  for (let at = 0; at < 120; at++)
    await addSegment(
      as,
      `S${at}`,
      Array.from({ length: 8 }, () => ({ ...plan('pro'), value: `pro${at % 2 ? '' : 's'}` })),
    );
  const found = Object.values(await counts(as));
  expect(found.length).toBe(120);
  expect(found.filter((count) => count === 10).length).toBe(60);
  expect(found.filter((count) => count === 0).length).toBe(60);
});

it('counts a Segment again after its filters, or those of a Segment that it names, have changed', async () => {
  const as = await newAccount();
  await addPeople(as);
  const base = await addSegment(as, 'Base', [plan('pro')]);
  await addSegment(as, 'Others', [{ kind: 'segment', op: 'nx', value: base }]);
  expect(await counts(as)).toEqual({ Base: 10, Others: 20 });
  await api.patch(`/v3/edit/segments/${base}`, { items: [plan('gold')] }, { as });
  expect(await counts(as)).toEqual({ Base: 0, Others: 30 });
  await addSegment(as, 'New', [plan('team')]);
  expect(await counts(as)).toEqual({ Base: 0, Others: 30, New: 10 });
});

it('keeps counts for a while, and counts again when they are old or on request', async () => {
  const as = await newAccount();
  await addSegment(as, 'Everybody', []);
  expect(await counts(as)).toEqual({ Everybody: 0 });
  await addPeople(as);
  expect(await counts(as)).toEqual({ Everybody: 0 });
  const { status, body } = await api.post('/v3/analyze/segments/count', {}, { as });
  expect([status, Object.keys(body)]).toEqual([202, ['counting']]);
  expect(await counts(as)).toEqual({ Everybody: 30 });
  await api.post('/v3/observe/hooks/profiles', { uid: 'one more' }, { as });
  now += 11 * 60_000;
  expect(await counts(as)).toEqual({ Everybody: 31 });
});

it('leaves the counting to the process that has begun it, until that is not seen any more', async () => {
  const as = await newAccount();
  await addPeople(as);
  await addSegment(as, 'Everybody', []);
  const ctx = contextOf(as);
  expect(await claimRun(ctx, 'a'.repeat(24))).toBe(true);
  expect(await claimRun(ctx, 'b'.repeat(24))).toBe(false);
  const { segments, counting } = await list(as);
  expect(counting).toEqual({ share: 0 });
  expect(segments[0]).toMatchObject({ count: null, estimate: null, is_complete: false, counted_at: null });
  const progress = async () => (await api.get('/v3/analyze/segments/counting', { as })).body;
  await keepRun(ctx, 'a'.repeat(24), 0.25);
  expect(await progress()).toEqual({ counting: { share: 0.25 } });
  await keepRun(ctx, 'a'.repeat(24), 0);
  // The clock of that process may be a minute behind this one.
  now += 90_000;
  expect((await list(as)).counting).toEqual({ share: 0 });
  now += 60_000;
  expect(await counts(as)).toEqual({ Everybody: 30 });
  expect(await progress()).toEqual({ counting: null });
  await endRun(ctx, 'a'.repeat(24));
});

it.each([
  ['is counted by the process whose clock is ahead', 45_000, false],
  ['is not kept from being counted by a time that no clock can have', 90_000, true],
])('an account %s', async (_, ahead, isFree) => {
  const as = await newAccount();
  const ctx = contextOf(as);
  expect(await claimRun({ ...ctx, now: () => now + ahead }, 'a'.repeat(24))).toBe(true);
  expect(await readRun(ctx)).toBe(isFree ? undefined : 0);
  expect(await claimRun(ctx, 'b'.repeat(24))).toBe(isFree);
});

it('ends after the time with an estimate, or when it is stopped', async () => {
  const as = await newAccount();
  await addPeople(as, 300);
  await addSegment(as, 'Pro', [plan('pro')]);
  const ctx = contextOf(as);
  const segments = await segmentsOf(ctx).execute();
  const counted = await countSegments(ctx, segments, 0, async () => true);
  expect(counted?.share).toBeCloseTo(1 / 3);
  expect([...(counted?.counts.values() ?? [])]).toEqual([33]);
  expect(await countSegments(ctx, segments, 0, async () => false)).toBe(undefined);
});

it('logs an error, and the next request counts again', async () => {
  const own = await startApi();
  const lines: string[] = [];
  const httpApp = createApp(own.app, readSettings({}), createLog('info', { write: (line) => void lines.push(line) }));
  onTestFinished(() => httpApp.close());
  const { account_id } = own.account;
  const rename = (from: string, to: string) =>
    own.app.storage.write(null, (db) => sql.raw(`alter table ${from} rename to ${to}`).execute(db.withoutPlugins()));
  expect((await own.post('/v3/edit/segments', { name: 'Everybody', items: [] })).status).toBe(201);
  await rename('segment_counts', 'kept_segment_counts');
  await own.app.segmentCounter.start(own.app, account_id);
  await expect
    .poll(() => lines.map((line) => JSON.parse(line)))
    .toMatchObject([
      {
        level: 40,
        err: { message: expect.stringContaining('segment_counts') },
        msg: expect.stringContaining('Segments'),
      },
    ]);
  await rename('kept_segment_counts', 'segment_counts');
  await expect
    .poll(async () => (await own.get('/v3/analyze/segments')).body.segments.map(({ count }: never) => count))
    .toEqual([0]);
  expect(lines).toHaveLength(1);
});
