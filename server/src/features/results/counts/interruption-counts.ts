import {
  type InterruptionMeasure,
  type InterruptionUse,
  interruptionMeasures,
  MAX_INTERRUPTION_VALUE,
} from '@usher/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Upsert } from '../../../db/bulk-rows.ts';

/** How many users have a number of interruptions, steps or seconds in a week. */
export interface InterruptionCount {
  week: number;
  measure: InterruptionMeasure;
  value: number;
  count: number;
}

const upsert: Upsert = {
  table: 'interruption_counts',
  columns: { week: 'bigint', measure: 'text', value: 'bigint', count: 'bigint' },
  changes: ['count'],
  merged: { count: 'sum' },
  key: ['week', 'measure', 'value'],
};

/** Adds to the counts. Call it with the clock of the account, so that no two transactions wait for each other. */
export async function addInterruptionCounts(
  ctx: Pick<Context, 'account' | 'db' | 'clock' | 'dialect'>,
  counts: readonly InterruptionCount[],
  sign: 1 | -1,
): Promise<void> {
  const byKey = new Map<string, InterruptionCount>();
  for (const row of counts) {
    const key = `${row.week} ${row.measure} ${row.value}`;
    byKey.set(key, { ...row, count: (byKey.get(key)?.count ?? 0) + sign * row.count });
  }
  const changed = [...byKey.values()].filter(({ count }) => count !== 0);
  if (changed.length === 0) return;
  await ctx.clock();
  await ctx.dialect.upsert(
    ctx.db,
    ctx.account.id,
    upsert,
    changed.map((row) => ({ ...row })),
  );
}

/** What changes in the counts of a week when a user, who had some interruptions in it, has some more. */
export function countMore(week: number, before: InterruptionUse, added: InterruptionUse): InterruptionCount[] {
  const capped = (value: number) => Math.min(value, MAX_INTERRUPTION_VALUE);
  return interruptionMeasures.flatMap((measure) => {
    const [from, to] = [capped(before[measure]), capped(before[measure] + added[measure])];
    if (from === to) return [];
    return [
      ...(from > 0 ? [{ week, measure, value: from, count: -1 }] : []),
      ...(to > 0 ? [{ week, measure, value: to, count: 1 }] : []),
    ];
  });
}

/** The Monday of the week of a row `a`, as `weekOf` finds it. */
const weekOfRow = sql`(a.day - ((a.day + 3) % 7))`;

/** The interruptions of each user and week, from rows `a`. `users` is the end of a query about them. */
export function weeksOfUsers(users: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select a.profile_id, ${weekOfRow} as week, sum(a.interruptions) as interruptions, sum(a.steps) as steps,
      sum(a.seconds) as seconds
    from interruption_days as a ${users} group by a.profile_id, ${weekOfRow}`;
}

/** Reads what some users add to the counts, without test users. */
export async function readInterruptionCounts(
  { db }: Pick<Context, 'db'>,
  users: RawBuilder<unknown>,
): Promise<InterruptionCount[]> {
  const most = sql.lit(MAX_INTERRUPTION_VALUE);
  const parts = interruptionMeasures.map((measure) => {
    const value = sql.ref(measure);
    return sql`select week, ${sql.lit(measure)} as measure, case when ${value} > ${most} then ${most} else ${value} end as value
      from (${weeksOfUsers(users)}) as ${sql.ref(`of_${measure}`)} where ${value} > 0`;
  });
  const { rows } = await sql<InterruptionCount>`
    select week, measure, value, count(*) as count from (${sql.join(parts, sql` union all `)}) as used
    group by week, measure, value`.execute(db);
  return rows.map(({ week, measure, value, count }) => ({
    ...{ week: Number(week), measure, value: Number(value), count: Number(count) },
  }));
}
