import { dayOf, EVENT_TREND_DAYS, type Millis, QUARTERS_PER_DAY, quarterOf, startOfDay } from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';

export interface CountedEvents {
  counts: { last_24_hours: number; last_7_days: number; last_30_days: number };
  /** The days in the time zone of the account, the last one today. */
  days: number[];
}

interface Range {
  timeZone: string;
  /** How many days are counted. */
  days?: number;
}

/** Reads how often events of these names were tracked: stored counts, whose number does not depend on the users and events. */
export async function countEvents(
  ctx: Context,
  names: readonly string[],
  { timeZone, days = EVENT_TREND_DAYS }: Range,
): Promise<(name: string) => CountedEvents> {
  const now = ctx.now();
  const today = dayOf(now, timeZone);
  const starts = Array.from({ length: days }, (_, at) => quarterOf(startOfDay(today - at, timeZone)));
  const rows = await readDays(ctx, names, starts, now);
  const counted = new Map<string, CountedEvents>();
  for (const row of rows) {
    const one = counted.get(row.name) ?? none(days);
    counted.set(row.name, one);
    one.counts.last_24_hours += Number(row.last_24_hours);
    one.counts.last_7_days += Number(row.last_7_days);
    one.counts.last_30_days += Number(row.last_30_days);
    if (row.ago < days) one.days[days - 1 - row.ago] = Number(row.count);
  }
  return (name) => counted.get(name) ?? none(days);
}

interface DayRow {
  name: string;
  /** How many days ago. */
  ago: number;
  count: number;
  last_24_hours: number;
  last_7_days: number;
  last_30_days: number;
}

/** Sums the quarters of an hour by day. `starts` are the first quarters of the days, the last day first. */
async function readDays(
  { db, account }: Context,
  names: readonly string[],
  starts: readonly number[],
  now: Millis,
): Promise<DayRow[]> {
  if (names.length === 0) return [];
  const current = quarterOf(now);
  const ago = sql.join(
    starts.map((start, at) => sql`when quarter >= ${sql.lit(start)} then ${sql.lit(at)}`),
    sql` `,
  );
  const since = (days: number) => current - days * QUARTERS_PER_DAY;
  const sumOf = (days: number) =>
    sql`sum(case when quarter >= ${sql.lit(since(days))} and quarter <= ${sql.lit(current)} then count else 0 end)`;
  const first = Math.min(since(30), starts.at(-1) ?? current);
  const { rows } = await sql<DayRow>`
    select name, case ${ago} else ${sql.lit(starts.length)} end as ago, sum(count) as count,
      ${sumOf(1)} as last_24_hours, ${sumOf(7)} as last_7_days, ${sumOf(30)} as last_30_days
    from event_counts
    where account_id = ${account.id} and name in (${sql.join(names)}) and quarter >= ${sql.lit(first)}
    group by 1, 2`.execute(db);
  return rows;
}

function none(days: number): CountedEvents {
  return {
    counts: { last_24_hours: 0, last_7_days: 0, last_30_days: 0 },
    days: Array.from({ length: days }, () => 0),
  };
}
