import {
  type Condition,
  createPastIds,
  type GoalFacts,
  type GoalRule,
  interactionStates,
  meetGoal,
  propertySubject,
} from '@usher/domain';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { randomRuns } from '../../../../../domain/test/random-runs.ts';
import { type Api, startApi } from '../../../../test/api.ts';
import { goalSql } from './goal-sql.ts';

/*
 * A goal is evaluated for one person by `meetGoal`, and for all people by `goalSql`. Generated goals over generated people must give the
 * same people, times and sums both ways.
 */

const NOW = Date.UTC(2026, 5, 15, 12, 0, 0, 500);
const DAY = 86_400_000;
const PEOPLE = 60;
const id = (number: number) => number.toString(16).padStart(24, '0');
const tour = id(0xa1);
const some = <T>(...items: T[]) => fc.constantFrom(...items);
const time = fc
  .tuple(fc.integer({ min: 0, max: 40 }), some(0, 0, -1, 1, 999, 3_600_000))
  .map(([days, off]) => NOW - days * DAY + off);
const custom = fc.record({
  plan: some<string | number>('pro', 'free', 12),
  // Numbers that are too large for a sum do not count.
  amount: some<string | number | boolean>(5, 0.5, -3, '7', true, 1e308, -1e308),
  order: some<number | { total: number }>({ total: 2 }, 4),
});
const perhaps = <T>(arb: fc.Arbitrary<T>) => fc.option(arb, { nil: null });

const person = fc.record({
  from_at: time,
  events: fc.array(fc.record({ name: some('paid', 'opened'), at: time, custom }), { maxLength: 5 }),
  interaction: perhaps(
    fc.record({
      displayed_at: perhaps(time),
      started_at: perhaps(time),
      completed_at: perhaps(time),
      exited_at: perhaps(time),
    }),
  ),
  plan: some('pro', 'free'),
});

const filters = fc.array(
  some<GoalRule['filters'][number]>(
    { kind: 'property', prop: 'plan', op: 'eq', value: 'pro' },
    { kind: 'property', prop: 'amount', op: 'gt', value: 0 },
    { kind: 'property', prop: 'order.total', op: 'ex' },
    { kind: 'property', prop: 'plan', op: 'nx' },
    { kind: 'property', prop: 'plan', op: 'ne', value: 'pro' },
    { kind: 'property', prop: 'plan', op: 'in', value: ['pr', 'fr'] },
    {
      ...{ kind: 'group', filters_op: 'or' },
      filters: [
        { kind: 'property', prop: 'plan', op: 'eq', value: 'free' },
        { kind: 'property', prop: 'amount', op: 'gt', value: 0 },
      ],
    },
  ),
  { maxLength: 2 },
);
const goal: fc.Arbitrary<GoalRule> = fc.record({
  kind: some('event', 'event', 'event', 'property', 'segment', 'experience'),
  event_name: some('Paid', 'opened', 'unknown'),
  segment_id: some(id(0xb1)),
  experience_id: some(tour),
  experience_state: some(null, ...interactionStates),
  filters,
  sum_property: some(null, null, 'amount', 'order.total', 'unknown'),
  within_days: some(null, 1, 7, 30, 0.5),
});

let api: Api;
let account_id: string;
const known = new Map<string, { from_at: number; facts: GoalFacts }>();
/** In the Segment are people with this plan. */
const segment: Condition = {
  is: 'property',
  field: { of: 'profile', path: ['plan'] },
  test: { is: 'equal', to: ['pro'], ignoringCase: false },
};

beforeAll(async () => {
  api = await startApi({ inTest: false });
  account_id = api.account.account_id;
  const { seed = 1 } = fc.readConfigureGlobal();
  const people = fc.sample(person, { seed, numRuns: PEOPLE });
  const idAt = createPastIds();
  await api.post('/v3/observe/hooks/profiles/batch', {
    profiles: people.map(({ plan }, at) => ({ uid: `u${at}`, plan })),
  });
  await api.app.storage.write(account_id, async (db) => {
    const rows = await db.selectFrom('profiles').select(['id', 'uid']).where('account_id', '=', account_id).execute();
    for (const [at, { from_at, events, interaction, plan }] of people.entries()) {
      const profile_id = rows.find(({ uid }) => uid === `u${at}`)?.id ?? '';
      const of = { account_id, profile_id };
      for (const event of events)
        await db
          .insertInto('events')
          .values({ ...of, id: idAt(event.at), name: event.name, custom: JSON.stringify(event.custom) })
          .execute();
      for (const name of new Set(events.map((event) => event.name))) {
        const times = events.filter((event) => event.name === name).map((event) => event.at);
        const counted = { count: times.length, first_at: Math.min(...times), last_at: Math.max(...times) };
        await db
          .insertInto('profile_events')
          .values({ ...of, name, ...counted })
          .execute();
      }
      if (interaction)
        await db
          .insertInto('interactions')
          .values({
            ...of,
            id: api.app.newId(),
            updated_at: NOW,
            experience_id: tour,
            state: 'started',
            ...interaction,
          })
          .execute();
      const subject = propertySubject({
        profile: { facts: {}, custom: { plan } },
        inSegment: () => plan === 'pro',
      });
      const reachedAt: GoalFacts['reachedAt'] = (_, state) => interaction?.[`${state}_at`] ?? null;
      known.set(profile_id, { from_at, facts: { events, reachedAt, subject } });
    }
  });
});
afterAll(() => api.stop());

it('meets the same goals at the same times in the database and in memory', async () => {
  const { storage } = api.app;
  const { dialect } = storage;
  const rows = [...known].map(
    ([profile_id, { from_at }]) => sql`select ${profile_id} as profile_id, cast(${from_at} as bigint) as from_at`,
  );
  const people = sql`${sql.join(rows, sql` union all `)}`;
  let found = 0;
  await fc.assert(
    fc.asyncProperty(goal, async (rule) => {
      const scope = { accountId: account_id, dialect, now: NOW, segment: () => segment };
      const met = await goalSql(rule, people, scope).execute(storage.reader(account_id));
      const expected = [...known].flatMap(([profile_id, { from_at, facts }]) => {
        const one = meetGoal(rule, from_at, facts, NOW);
        return one ? [{ profile_id, met_at: one.at, value: one.value }] : [];
      });
      const toNumber = (value: number | null) => (value === null ? null : Number(value));
      expect(
        met.rows
          .map((row) => ({ profile_id: row.profile_id, met_at: toNumber(row.met_at), value: toNumber(row.value) }))
          .sort(byProfile),
      ).toEqual(expected.sort(byProfile));
      found += expected.length;
    }),
    { numRuns: randomRuns(60) },
  );
  expect(found).toBeGreaterThan(10);
});

it('finds an event whose row is deleted by its first or its last time', async () => {
  const { storage } = api.app;
  const { body } = await api.post('/v3/observe/hooks/profiles', { uid: 'old' });
  const profile_id: string = body.profile.id;
  const times = { first_at: NOW - 9 * DAY, last_at: NOW - 2 * DAY };
  await storage.write(account_id, (db) =>
    db
      .insertInto('profile_events')
      .values({ account_id, profile_id, name: 'paid', count: 3, ...times })
      .execute(),
  );
  const rule: GoalRule = {
    ...{ kind: 'event', event_name: 'Paid', segment_id: null, experience_id: null, experience_state: 'completed' },
    ...{ filters: [], sum_property: null, within_days: 5 },
  };
  const metFrom = async (days: number) => {
    const people = sql`select ${profile_id} as profile_id, cast(${NOW - days * DAY} as bigint) as from_at`;
    const scope = { accountId: account_id, dialect: storage.dialect, now: NOW, segment: () => segment };
    const { rows } = await goalSql(rule, people, scope).execute(storage.reader(account_id));
    return rows.map(({ met_at }) => Number(met_at));
  };
  expect(await metFrom(10)).toEqual([times.first_at]);
  expect(await metFrom(4)).toEqual([times.last_at]);
  expect(await metFrom(1)).toEqual([]);
  expect(await metFrom(20)).toEqual([]);
});

function byProfile(one: { profile_id: string }, other: { profile_id: string }): number {
  return one.profile_id < other.profile_id ? -1 : 1;
}
