import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { openDomain } from '../../../../test/visiting.ts';

const DAY = 24 * 60 * 60_000;
// Batches are stored by a thread with the clock of the machine.
let now = Date.now() - 30 * DAY;
let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => now });
  await openDomain(api);
});
afterAll(() => api.stop());

const goalOf = async (params: object) => {
  const { status, body } = await api.post('/v3/edit/goals', { kind: 'event', ...params });
  expect([status, body.messages]).toEqual([201, undefined]);
  return body.goal.id as string;
};
const experimentOf = async (params: object) => {
  const { tour } = (await api.post('/v3/edit/tours', { name: 'Tested', steps: [{ title: 'Hello' }] })).body;
  const variants = [
    { name: 'Nothing', share: 50 },
    { name: 'Tour', experience_id: tour.id, share: 50 },
  ];
  return (await api.post('/v3/edit/experiments', { name: 'Does it help?', variants, ...params })).body.experiment;
};
const resultsOf = async (id: string) => (await api.get(`/v3/analyze/experiments/${id}/results`)).body.results;

/** Makes people a part of an experiment as page loads would have, in turns. Every person of an arm pays with this probability. */
async function addPeople(
  { id, variants }: { id: string; variants: { id: string }[] },
  count: number,
  shares: readonly number[],
  at: number,
): Promise<string[]> {
  const { account_id } = api.account;
  const uids = Array.from({ length: count }, (_, n) => `person ${at} ${n}`);
  await api.post('/v3/observe/hooks/profiles/batch', { profiles: uids.map((uid) => ({ uid })) });
  const armOf = (n: number) => n % 2;
  await api.app.storage.write(account_id, async (db) => {
    const rows = await db
      .selectFrom('profiles')
      .select(['id', 'uid'])
      .where('account_id', '=', account_id)
      .where('uid', 'in', uids)
      .execute();
    const ids = new Map(rows.map((row) => [row.uid, row.id]));
    await db
      .insertInto('exposures')
      .values(
        uids.map((uid, n) => ({
          account_id,
          experiment_id: id,
          profile_id: ids.get(uid) ?? '',
          variant_id: variants[armOf(n)]?.id ?? '',
          exposed_at: at,
        })),
      )
      .execute();
  });
  const paid = uids.filter((_, n) => (n * 7919) % 1000 < 1000 * (shares[armOf(n)] ?? 0));
  const events = paid.map((uid) => ({
    uid,
    name: 'Paid',
    amount: 10,
    occurred_at: new Date(at + DAY).toISOString(),
  }));
  now = at + 2 * DAY;
  if (events.length > 0) {
    const { status, body } = await api.post('/v3/observe/hooks/events/batch', { events });
    expect([status, body.errors]).toEqual([202, undefined]);
  }
  return paid;
}

it('plans from the account, waits for the days of people, decides, and leaves out late events and test users', async () => {
  const paid = await goalOf({ name: 'Paid', event_name: 'Paid' });
  const revenue = await goalOf({ name: 'Revenue', event_name: 'Paid', sum_property: 'amount' });
  const guardrail = await goalOf({ name: 'Cancelled', event_name: 'Cancelled' });
  const experiment = await experimentOf({ goal_ids: [paid, revenue], guardrail_goal_ids: [guardrail] });
  const draft = await resultsOf(experiment.id);
  expect(draft).toMatchObject({ state: 'draft', exposed_count: 0, verdict: { decision: 'undecided' } });
  expect(draft.goals[0].plan).toMatchObject({ needed_count: null, message: expect.stringContaining('known when') });

  expect((await api.post(`/v3/edit/experiments/${experiment.id}/start`)).status).toBe(200);
  const start = now;
  const reached = await addPeople(experiment, 800, [0.2, 0.4], start);
  now = start + 2 * DAY;
  const early = await resultsOf(experiment.id);
  expect(early).toMatchObject({ exposed_count: 800, complete_count: 0, sample_ratio: { is_right: true } });
  const soFar = early.goals[0].variants.map((arm: { reached_so_far_count: number }) => arm.reached_so_far_count);
  expect(soFar[0] + soFar[1]).toBe(reached.length);
  expect(early.goals[0].comparisons).toMatchObject([{ difference: null, finding: 'unknown' }]);
  expect(early.verdict.message).toMatch(/^No decision yet/);

  await api.post('/v3/observe/hooks/events', { uid: `person ${start} 0`, name: 'Paid', amount: 1000 });
  now = start + 9 * DAY;
  const late = await api.post('/v3/observe/hooks/events', { uid: `person ${start} 2`, name: 'Paid', amount: 5000 });
  expect(late.status).toBe(200);
  const results = await resultsOf(experiment.id);
  expect(results.complete_count).toBe(800);
  const [primary, sums, guard] = results.goals;
  expect([primary.role, sums.role, guard.role]).toEqual(['primary', 'secondary', 'guardrail']);
  expect(primary.comparisons).toMatchObject([
    { finding: 'more', message: expect.stringContaining('percentage points') },
  ]);
  expect(primary.comparisons[0].low).toBeGreaterThan(0);
  expect(results.verdict).toMatchObject({ decision: 'variant', variant_id: experiment.variants[1].id });
  expect(sums.variants[0].sum).toBe(10 * primary.variants[0].reached_count + 1000);
  expect(sums.variants[1].sum).toBe(10 * primary.variants[1].reached_count);
  expect(guard.comparisons).toMatchObject([{ finding: 'unknown', difference: null }]);
  expect(primary.plan).toMatchObject({ rate_from: 'experiment', needed_count: expect.any(Number) });

  const counted = primary.variants[1].reached_count;
  const [tester = ''] = reached.filter((uid) => Number(uid.split(' ')[2]) % 2 === 1);
  await api.patch('/v3/edit/profiles', { uid: tester, test: true });
  const without = await resultsOf(experiment.id);
  expect(without.goals[0].variants[1].reached_count).toBe(counted - 1);
  expect(without.exposed_count).toBe(799);
});

it('warns of wrong numbers of people, of changed shares, and decides nothing then', async () => {
  const goal = await goalOf({ name: 'Paid again', event_name: 'Paid' });
  const experiment = await experimentOf({ goal_ids: [goal] });
  await api.post(`/v3/edit/experiments/${experiment.id}/start`);
  now += DAY;
  const [first, second] = experiment.variants;
  await addPeople({ id: experiment.id, variants: [first, first] }, 400, [0.5, 0.5], now);
  const variants = [
    { name: 'Nothing', share: 40 },
    { name: 'Tour', experience_id: second.experience_id, share: 60 },
  ];
  await api.patch(`/v3/edit/experiments/${experiment.id}`, { variants });
  const results = await resultsOf(experiment.id);
  expect(results.sample_ratio).toMatchObject({ is_right: false, message: expect.stringContaining('do not trust') });
  expect(results.verdict.decision).toBe('undecided');
  expect(results.warnings).toEqual([expect.stringContaining('shares were changed')]);
});

it('estimates a draft that is for several Segments of alternatives, with a goal of alternatives', async () => {
  const filter = (value: string) => ({ kind: 'property', prop: 'plan', op: 'eq', value });
  const segment_ids: string[] = [];
  for (const plan of ['gold', 'silver'])
    segment_ids.push((await api.post('/v3/edit/segments', { name: plan, items: [filter(plan)] })).body.segment.id);
  const filters = [{ kind: 'group', filters_op: 'or', filters: [filter('gold'), filter('silver')] }];
  const goal_ids = [
    await goalOf({ name: 'Bought as one of them', event_name: 'Bought', filters }),
    await goalOf({ name: 'One of them', kind: 'property', event_name: null, filters }),
  ];
  const { id } = await experimentOf({ goal_ids, segment_ids, segments_op: 'or' });
  const { status, body } = await api.get(`/v3/analyze/experiments/${id}/results`);
  expect([status, body.results.state, body.results.goals.length]).toEqual([200, 'draft', 2]);
});
