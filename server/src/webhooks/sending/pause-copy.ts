import { sql } from 'kysely';
import type { AppContext } from '../../context.ts';
import { sqlStateOf } from '../../db/postgres/sql-state.ts';
import type { Db, Storage } from '../../db/storage.ts';
import { pauseFrom } from './paused.ts';

/** The row of `installation` with the identity of the database. */
const IDENTITY = 'database_identity';
/** The user has no right to read it, or the server has no such function. */
const unreadableStates = new Set(['42501', '42883', '0A000']);

/**
 * On PostgreSQL, pauses sending in a database that was restored from a dump of another one: it has the identity of that
 * other one in its table. A replica that was promoted keeps the identity, and goes on sending. Returns whether it is a copy.
 */
export async function pauseCopy({ storage, now }: AppContext): Promise<boolean> {
  const identity = await readIdentity(storage);
  if (identity === undefined) return false;
  return storage.write(null, async (db) => {
    const query = db.selectFrom('installation').select('value').where('name', '=', IDENTITY);
    const known = await storage.dialect.lockRows(query).executeTakeFirst();
    const isCopy = known !== undefined && known.value !== identity;
    if (isCopy) await pauseFrom(db, { reason: 'this database is a copy of another one', at: now() });
    if (known?.value !== identity) await writeIdentity(db, identity);
    return isCopy;
  });
}

async function writeIdentity(db: Db, value: string): Promise<void> {
  await db
    .insertInto('installation')
    .values({ name: IDENTITY, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/**
 * The identity of the cluster and of the database in it. Undefined on SQLite, and where this user may not read it. Other
 * errors stop the start: a copy that is not recognized because the database was busy for a moment would send.
 */
async function readIdentity({ address, reader }: Storage): Promise<string | undefined> {
  if (!('databaseUrl' in address)) return undefined;
  try {
    const { rows } = await sql<{ identity: string }>`
      select (select system_identifier from pg_control_system())::text || '/' || oid as identity
      from pg_database where datname = current_database()`.execute(reader(null));
    return rows[0]?.identity;
  } catch (error) {
    if (!unreadableStates.has(sqlStateOf(error))) throw error;
    return undefined;
  }
}
