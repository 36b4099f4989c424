import { sql } from 'kysely';
import type { Db } from '../schema.ts';

/** Fewer rows are read as fast without an index. */
const MIN_ROWS = 500;

/**
 * Gathers statistics of tables that have none yet. Until then plans are used that were made when a table was empty, which
 * read a whole account for each user, and autovacuum looks at a new table only after a minute: on the first day of a
 * product with many users that is long. On Citus the rows are in other tables, and this finds none.
 */
export async function analyzeNewTables(db: Db): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_stat_user_tables
    where schemaname = current_schema() and last_analyze is null and last_autoanalyze is null
      and n_mod_since_analyze > ${MIN_ROWS}`.execute(db);
  for (const { name } of rows) await sql`analyze ${sql.table(name)}`.execute(db);
}
