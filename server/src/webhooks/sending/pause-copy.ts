import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sql } from 'kysely';
import type { AppContext } from '../../context.ts';
import { sqlStateOf } from '../../db/postgres/sql-state.ts';
import type { Db, Storage } from '../../db/storage.ts';
import { pauseFrom } from './paused.ts';

/** The row of `installation` with the identity of the database. */
const IDENTITY = 'database_identity';
/**
 * The SQLSTATE codes of an identity that cannot be read: the database user may not, or the server has no such function.
 */
const unreadableStates = new Set(['42501', '42883', '0A000']);

/**
 * Pauses sending in a copy of a database, which has the identity of the original in its table: on PostgreSQL one that was
 * restored from a dump, on SQLite one in another folder. A replica that was promoted, and a folder that was renamed or
 * mounted elsewhere, keep their identity and go on sending. Returns whether it is a copy.
 */
export async function pauseCopy({ storage, now }: AppContext): Promise<boolean> {
  const identity = await readIdentity(storage);
  if (identity === undefined) return false;
  return storage.write(null, async (db) => {
    const query = db.selectFrom('installation').select('value').where('name', '=', IDENTITY);
    const known = await storage.dialect.lockRows(query).executeTakeFirst();
    const isCopy = known !== undefined && !isSame(known.value, identity);
    if (isCopy) await pauseFrom(db, { reason: 'this database is a copy of another one', at: now() });
    if (known?.value !== identity) await writeIdentity(db, identity);
    return isCopy;
  });
}

/**
 * Makes this database the original from now on: an operator has turned the sending on, perhaps before the first start.
 */
export async function acceptCopy({ storage }: AppContext): Promise<void> {
  const identity = await readIdentity(storage);
  if (identity !== undefined) await storage.write(null, (db) => writeIdentity(db, identity));
}

/** Two kinds of identities cannot be compared, such as after an update of the system that gives folders a time of birth. */
function isSame(known: string, identity: string): boolean {
  const [kind] = identity.split(' ');
  return known === identity || (identity.includes(' ') && known.split(' ')[0] !== kind);
}

async function writeIdentity(db: Db, value: string): Promise<void> {
  await db
    .insertInto('installation')
    .values({ name: IDENTITY, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** Returns undefined if the identity cannot be read. */
function readIdentity(storage: Storage): Promise<string | undefined> {
  const { address } = storage;
  return 'databaseUrl' in address ? readPostgresIdentity(storage) : readFolderIdentity(dirname(address.sqliteFile));
}

/**
 * When the data folder was created, to the nanosecond. It stays the same when the folder is renamed, when it is mounted into
 * another container or machine, and when a backup replaces the file in it; a copy of the folder has another one. The
 * numbers of devices and the names of hosts change with a restart of a container or a machine. Where the file system stores
 * no such time, the number of the folder is used.
 */
async function readFolderIdentity(folder: string): Promise<string> {
  const { birthtimeNs, ctimeNs, ino } = await stat(folder, { bigint: true });
  // Without a time of birth, Node reports the time of the last change in its place.
  return birthtimeNs > 0n && birthtimeNs !== ctimeNs ? `born ${birthtimeNs}` : `inode ${ino}`;
}

/**
 * The identity of the cluster and of the database in it. Undefined where this user may not read it. Other errors stop the
 * start: a copy that is not recognized because the database was busy for a moment would send.
 */
async function readPostgresIdentity({ reader }: Storage): Promise<string | undefined> {
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
