import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../storage.ts';

const MAX_END_MS = 15_000;
const CHECK_MS = 50;

/**
 * Lets the role of Usher only read this database of PostgreSQL, also with what is started later, and ends its connections that
 * could still write. Nodes that run answer page loads without storing them, and everything that writes gets 503.
 */
export async function makeReadOnly(db: Db): Promise<void> {
  await setRole(db, sql`set default_transaction_read_only = on`);
  const { rows } = await sql<{ since: string }>`select clock_timestamp()::text as since`.execute(db);
  const since = rows[0]?.since;
  for (const deadline = Date.now() + MAX_END_MS; ; await pause(CHECK_MS)) {
    const ended = await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename = current_user and backend_type = 'client backend'
        and pid <> pg_backend_pid() and backend_start <= ${since}::timestamptz`.execute(db);
    if (ended.rows.length === 0) return;
    if (Date.now() > deadline)
      throw new Error('connections to the database do not end: stop every node, then try again');
  }
}

export async function endReadOnly(db: Db): Promise<void> {
  await setRole(db, sql`reset default_transaction_read_only`);
}

async function setRole(db: Db, change: ReturnType<typeof sql>): Promise<void> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  // A transaction of its own: the role may have been made to read only before.
  await db
    .transaction()
    .setAccessMode('read write')
    .execute((tx) => sql`alter role current_user in database ${sql.id(rows[0]?.name ?? '')} ${change}`.execute(tx));
}

/** Whether nothing can be written for another reason than a standby. */
export async function isMadeReadOnly(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select current_setting('default_transaction_read_only')::boolean as found`.execute(db);
  return rows[0]?.found ?? false;
}
