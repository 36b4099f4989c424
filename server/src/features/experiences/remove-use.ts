import { keysOf } from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/storage.ts';
import { removeFromReach } from '../results/counts/remove-from-reach.ts';
import { countTables } from '../results/counts/use-counts.ts';

/**
 * The columns that identify a row of one Experience, in the order of an index, and the lowest value of the first
 * column.
 */
const keys = {
  answers: { columns: ['response_id', 'step_id'], start: '' },
  response_tags: { columns: ['name', 'response_id'], start: '' },
  responses: { columns: ['id'], start: '' },
  failing_steps: { columns: ['part_id'], start: '' },
  findings: { columns: ['day', 'part_id', 'path', 'finding', 'profile_id'], start: 0 },
} as const;
type Table = keyof typeof keys;

/** Deletes the records of what users did with a deleted Experience, some with each transaction. */
export async function removeUse(ctx: Context, experienceId: string): Promise<void> {
  // Counts can contain what users wrote. They go first: without the answers, forgetting a user would not find what to subtract.
  await ctx.transaction((ctx) => removeCounts(ctx, experienceId));
  await removeInteractions(ctx, experienceId);
  for (const table of keysOf(keys)) {
    const rows = { accountId: ctx.account.id, experienceId, max: ctx.dialect.rowsPerWrite };
    while (!(await ctx.transaction(({ db }) => deleteSome(db, table, rows))));
  }
  // Reports may have arrived meanwhile.
  await ctx.transaction((ctx) => removeCounts(ctx, experienceId));
}

async function removeCounts(ctx: Context, experienceId: string): Promise<void> {
  await ctx.clock();
  const tables = [...countTables, 'experience_counts', 'response_counts', 'imported_totals'] as const;
  for (const table of [...tables, 'goal_counts', 'goal_count_runs'] as const)
    await ctx.db
      .deleteFrom(table)
      .where('account_id', '=', ctx.account.id)
      .where('experience_id', '=', experienceId)
      .execute();
}

/** With more users, PostgreSQL without statistics reads all activities of the account. */
const USERS_PER_WRITE = 50;

/** Deletes Interactions, and with them what their users did: activities are found by user only. */
export async function removeInteractions(ctx: Context, experienceId: string): Promise<void> {
  while (
    await ctx.transaction(async (ctx) => {
      const rows = await ctx.db
        .selectFrom('interactions')
        .select(['id', 'profile_id'])
        .where('account_id', '=', ctx.account.id)
        .where('experience_id', '=', experienceId)
        .where('id', '>=', '')
        .orderBy('id')
        .limit(ctx.dialect.rowsPerWrite)
        .execute();
      for (let at = 0; at < rows.length; at += USERS_PER_WRITE)
        await deleteThese(ctx, experienceId, rows.slice(at, at + USERS_PER_WRITE));
      return rows.length > 0;
    })
  );
}

async function deleteThese(ctx: Context, experienceId: string, rows: readonly { id: string; profile_id: string }[]) {
  const ids = (name: 'id' | 'profile_id') => rows.map((row) => row[name]);
  // In the order in which forgetting a user locks these rows.
  await ctx.db
    .deleteFrom('interactions')
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', ids('id'))
    .execute();
  const gone = await ctx.db
    .deleteFrom('activities')
    .where('account_id', '=', ctx.account.id)
    .where('profile_id', 'in', ids('profile_id'))
    .where('experience_id', '=', experienceId)
    .returning(['profile_id', 'what', 'part_id', 'day'])
    .execute();
  await removeFromReach(
    ctx,
    gone.filter(({ part_id }) => part_id === ''),
  );
}

interface Rows {
  accountId: string;
  experienceId: string;
  /** Only rows from before this day. The table must have days. */
  beforeDay?: number;
  /** How many rows are deleted together. */
  max: number;
}

/** Deletes some rows of a table, and returns whether they were the last. */
export async function deleteSome(
  db: Db,
  table: Table,
  { accountId, experienceId, beforeDay, max }: Rows,
): Promise<boolean> {
  // The type of one table stands for all: each has its key columns, `account_id` and `experience_id`.
  const [from, { columns, start }] = [table as 'findings', keys[table] as typeof keys.findings];
  let boundary = db
    .selectFrom(from)
    .select(columns)
    .where('account_id', '=', accountId)
    .where('experience_id', '=', experienceId)
    // Without a lower bound, PostgreSQL without statistics sorts all rows: 140 ms for 200,000.
    .where(columns[0], '>=', start)
    .offset(max - 1)
    .limit(1);
  if (beforeDay !== undefined) boundary = boundary.where('day', '<', beforeDay);
  for (const column of columns) boundary = boundary.orderBy(column);
  const last = await boundary.executeTakeFirst();
  let all = db.deleteFrom(from).where('account_id', '=', accountId).where('experience_id', '=', experienceId);
  if (beforeDay !== undefined) all = all.where('day', '<', beforeDay);
  if (!last) {
    await all.execute();
    return true;
  }
  const [key, values] = [columns.map((column) => sql.ref(column)), columns.map((column) => last[column])];
  await all.where(sql<boolean>`(${sql.join(key)}) <= (${sql.join(values)})`).execute();
  return false;
}
