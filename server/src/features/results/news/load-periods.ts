import type { DayRange, StoredActivity } from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';

export type Counted = Extract<StoredActivity, 'shown' | 'displayed' | 'started' | 'completed' | 'goal'>;

/** With more IDs, PostgreSQL without statistics reads the whole account. */
const IDS_PER_QUERY = 50;

/** How many people did something in each of these ranges of days, by Experience and activity. In a range, a person counts once. */
export async function loadPeriods(
  ctx: Context,
  ids: readonly string[],
  what: readonly Counted[],
  ranges: readonly DayRange[],
): Promise<(id: string, what: Counted, range: number) => number> {
  const counts = new Map<string, number>();
  const first = Math.min(...ranges.map((range) => range.first));
  const columns = ranges.map(({ first, last }, at) =>
    sql<number>`sum(case when day >= ${sql.lit(first)} and day <= ${sql.lit(last)} and previous_day < ${sql.lit(first)}
      then count else 0 end)`.as(`range_${at}`),
  );
  for (let at = 0; at < ids.length; at += IDS_PER_QUERY) {
    const rows = await ctx.heavyDb
      .selectFrom('activity_counts')
      .select(['experience_id', 'what', ...columns])
      .where('account_id', '=', ctx.account.id)
      .where('experience_id', 'in', ids.slice(at, at + IDS_PER_QUERY))
      .where('day', '>=', first)
      .where('what', 'in', what)
      .where('part_id', '=', '')
      .groupBy(['experience_id', 'what'])
      .execute();
    for (const row of rows)
      for (const range of ranges.keys())
        counts.set(`${row.experience_id} ${row.what} ${range}`, Number(row[`range_${range}` as 'range_0']));
  }
  return (id, activity, range) => counts.get(`${id} ${activity} ${range}`) ?? 0;
}

export async function countShownSince(ctx: Context, id: string, day: number): Promise<number> {
  const count = await loadPeriods(ctx, [id], ['shown'], [{ first: day, last: END }]);
  return count(id, 'shown', 0);
}

const END = 2 ** 31 - 2;
