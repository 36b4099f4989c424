import { quarterOf } from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Upsert } from '../../../db/bulk-rows.ts';

type CountsContext = Pick<Context, 'account' | 'db' | 'dialect'>;

/** How many events of a name there were in a quarter of an hour. */
export interface EventCount {
  name: string;
  quarter: number;
  count: number;
}

const upsert: Upsert = {
  table: 'event_counts',
  columns: { name: 'text', quarter: 'bigint', count: 'bigint' },
  changes: ['count'],
  merged: { count: 'sum' },
  key: ['name', 'quarter'],
};

/**
 * Adds to the counts of events. Do this last in a transaction, or after it has taken the clock of the account: the rows are locked until its
 * end. All transactions lock them in the same order, so no two wait for each other.
 */
export async function addEventCounts(ctx: CountsContext, counts: readonly EventCount[], sign: 1 | -1): Promise<void> {
  const rows = sumByKey(counts).map((row) => ({ ...row, count: sign * row.count }));
  if (rows.length === 0) return;
  await ctx.dialect.upsert(ctx.db, ctx.account.id, upsert, rows);
  if (sign === 1) return;
  // A name can say who a forgotten user was, so nothing of it stays.
  const quarters = rows.map(({ quarter }) => quarter);
  await ctx.db
    .deleteFrom('event_counts')
    .where('account_id', '=', ctx.account.id)
    .where('name', 'in', [...new Set(rows.map(({ name }) => name))])
    .where('quarter', '>=', Math.min(...quarters))
    .where('quarter', '<=', Math.max(...quarters))
    .where('count', '<=', 0)
    .execute();
}

/** One statement cannot change a row twice. */
function sumByKey(counts: readonly EventCount[]): EventCount[] {
  const byKey = new Map<string, EventCount>();
  for (const row of counts) {
    const key = `${row.quarter} ${row.name}`;
    byKey.set(key, { ...row, count: (byKey.get(key)?.count ?? 0) + row.count });
  }
  return [...byKey.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

/** Counts the events of these users, who are locked; test users have no counts. */
export async function readEventCounts(
  { account, db }: Pick<Context, 'account' | 'db'>,
  profileIds: readonly string[],
): Promise<EventCount[]> {
  if (profileIds.length === 0) return [];
  // An ID begins with its second.
  const { rows } = await sql<{ name: string; second: string; count: number }>`
    select a.name, substr(a.id, 1, 8) as second, count(*) as count
    from events as a join profiles on profiles.account_id = ${account.id} and profiles.id = a.profile_id
    where a.account_id = ${account.id} and a.profile_id in (${sql.join(profileIds)}) and not profiles.is_test
    group by a.name, substr(a.id, 1, 8)`.execute(db);
  return rows.map(({ name, second, count }) => ({
    name,
    quarter: quarterOf(Number.parseInt(second, 16) * 1000),
    count: Number(count),
  }));
}
