import { type Counts, countedActivities, recordOf, type Stats, toDate } from '@usher/domain';
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import { shownDay } from '../counts/time-zone.ts';
import type { CountTable } from '../counts/use-counts.ts';
import type { LocalDayRange } from './answers-in.ts';

export const DAYS_OF_WEEK = 7;
/** A number of days in which a user counts once. */
export type ColumnDays = 1 | typeof DAYS_OF_WEEK;

export interface ActivityCounts {
  /** How many users did something in the range, by what they did and its part. */
  totals: ReadonlyMap<string, number>;
  days: Stats['days'];
}

export function toCounts(count: (what: string) => number): Counts {
  return recordOf(countedActivities, count);
}

export function countsIn<Table extends CountTable>(ctx: Context, table: Table, id: string, range: LocalDayRange) {
  // The type of one table stands for all: each has these columns.
  const rows = ctx.heavyDb
    .selectFrom(table as 'activity_counts')
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', '=', id)
    .where('day', '>=', range.first)
    .where('day', '<=', range.lastOfRows);
  return rows as unknown as SelectQueryBuilder<Schema, Table, object>;
}

/** The first day of the column that a day is in. The last column ends with the range, so the first one can be shorter. */
export function columnOf(range: LocalDayRange, days: ColumnDays): RawBuilder<number> {
  const shown = shownDay(range.last);
  if (days === 1) return shown;
  const [first, last] = [sql.lit(range.first), sql.lit(range.last)];
  const start = sql`(${last} - ((${last} - ${shown}) / ${sql.lit(days)}) * ${sql.lit(days)} - ${sql.lit(days - 1)})`;
  return sql`case when ${start} < ${first} then ${first} else ${start} end`;
}

export function listColumns({ first, last }: LocalDayRange, days: ColumnDays): number[] {
  const columns: number[] = [];
  for (let day = last - days + 1; day > first - days; day -= days) columns.unshift(Math.max(day, first));
  return columns;
}

/**
 * Reads each count once. A user counts at the first of their days in the range, and in each column at the first of their days in it, so once
 * in both.
 */
export async function countActivities(
  ctx: Context,
  id: string,
  range: LocalDayRange,
  days: ColumnDays,
): Promise<ActivityCounts> {
  const column = columnOf(range, days);
  const ofParts = sql.lit(-1);
  const rows = await countsIn(ctx, 'activity_counts', id, range)
    .select([
      'what',
      'part_id',
      sql<number>`case when part_id = '' then ${column} else ${ofParts} end`.as('column'),
      sql<number>`sum(case when previous_day < ${sql.lit(range.first)} then count else 0 end)`.as('users'),
      sql<number>`sum(case when previous_day < ${column} then count else 0 end)`.as('column_users'),
    ])
    .groupBy(['what', 'part_id', 'column'])
    .execute();
  const totals = new Map<string, number>();
  const byColumn = new Map<string, number>();
  for (const { what, part_id, column, users, column_users } of rows) {
    const key = `${what} ${part_id}`;
    totals.set(key, (totals.get(key) ?? 0) + Number(users));
    byColumn.set(`${column} ${what}`, Number(column_users));
  }
  return {
    totals,
    days: listColumns(range, days).map((day) => ({
      day: toDate(day),
      ...toCounts((what) => byColumn.get(`${day} ${what}`) ?? 0),
    })),
  };
}
