import { keysOf } from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';

/**
 * The columns that identify a row of one Experience, in the order of an index, and the lowest value of the first
 * column.
 */
const keys = {
  interactions: { columns: ['id'], start: '' },
  answers: { columns: ['response_id', 'step_id'], start: '' },
  responses: { columns: ['id'], start: '' },
  activities: { columns: ['day', 'what', 'part_id', 'profile_id'], start: 0 },
  failing_steps: { columns: ['part_id'], start: '' },
  findings: { columns: ['day', 'part_id', 'path', 'finding', 'profile_id'], start: 0 },
} as const;
type Table = keyof typeof keys;

/** Deletes the records of what users did with a deleted Experience, some with each transaction. */
export async function removeUse(ctx: Context, experienceId: string): Promise<void> {
  for (const table of keysOf(keys)) while (!(await ctx.transaction((ctx) => deleteSome(ctx, table, experienceId))));
}

/** Deletes some rows of a table, and returns whether they were the last. */
async function deleteSome(ctx: Context, table: Table, experienceId: string): Promise<boolean> {
  // The type of one table stands for all: each has its key columns, `account_id` and `experience_id`.
  const [from, { columns, start }] = [table as 'activities', keys[table] as typeof keys.activities];
  let boundary = ctx.db
    .selectFrom(from)
    .select(columns)
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', '=', experienceId)
    // Without a lower bound, PostgreSQL without statistics sorts all rows: 140 ms for 200,000.
    .where(columns[0], '>=', start)
    .offset(ctx.dialect.rowsPerWrite - 1)
    .limit(1);
  for (const column of columns) boundary = boundary.orderBy(column);
  const last = await boundary.executeTakeFirst();
  const all = ctx.db
    .deleteFrom(from)
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', '=', experienceId);
  if (!last) {
    await all.execute();
    return true;
  }
  const [key, values] = [columns.map((column) => sql.ref(column)), columns.map((column) => last[column])];
  await all.where(sql<boolean>`(${sql.join(key)}) <= (${sql.join(values)})`).execute();
  return false;
}
