import { sql } from 'kysely';
import type { Db } from '../storage.ts';

/** What a restore on PostgreSQL replaces is kept in this schema until the restore is complete. */
export const REPLACED = 'usher_before_restore';

/** Whether a restore has begun, and is not complete. */
export async function hasReplaced(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_namespace where nspname = ${REPLACED}`.execute(db);
  return rows.length > 0;
}
