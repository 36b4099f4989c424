import { sql } from 'kysely';
import type { Context } from '../../context.ts';

/** What tells the rows of one Experience apart, in the order of an index; and where that begins. */
const keys = {
  interactions: { columns: ['id'], start: '' },
  answers: { columns: ['response_id', 'step_id'], start: '' },
  responses: { columns: ['id'], start: '' },
  activities: { columns: ['day', 'what', 'part_id', 'profile_id'], start: 0 },
  findings: { columns: ['day', 'part_id', 'path', 'finding', 'profile_id'], start: 0 },
} as const;
type Table = keyof typeof keys;

/** Removes what users did with an Experience that is gone, some at a time. */
export async function removeUse(ctx: Context, experienceId: string): Promise<void> {
  for (const table of Object.keys(keys) as Table[])
    while (!(await ctx.transaction((ctx) => removeSome(ctx, table, experienceId))));
}

/** Answers whether these were the last. */
async function removeSome(ctx: Context, table: Table, experienceId: string): Promise<boolean> {
  // All have the columns that are their key, and those that say whose they are.
  const [of, { columns, start }] = [table as 'activities', keys[table] as typeof keys.activities];
  let place = ctx.db
    .selectFrom(of)
    .select(columns)
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', '=', experienceId)
    // Without a bound, PostgreSQL that has no statistics yet sorts all there are: 140 ms of 200,000.
    .where(columns[0], '>=', start)
    .offset(ctx.dialect.rowsPerWrite - 1)
    .limit(1);
  for (const column of columns) place = place.orderBy(column);
  const last = await place.executeTakeFirst();
  const all = ctx.db.deleteFrom(of).where('account_id', '=', ctx.account.id).where('experience_id', '=', experienceId);
  if (!last) {
    await all.execute();
    return true;
  }
  const [key, values] = [columns.map((column) => sql.ref(column)), columns.map((column) => last[column])];
  await all.where(sql<boolean>`(${sql.join(key)}) <= (${sql.join(values)})`).execute();
  return false;
}
