import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { openStorage } from '../db/open-storage.ts';
import { tables } from '../db/schema.ts';
import { lockServer } from '../db/sqlite/server-lock.ts';
import { openPostgresSide } from '../db/transfer/postgres-side.ts';
import { isMadeReadOnly } from '../db/transfer/read-only.ts';
import { openSqliteSide } from '../db/transfer/sqlite-side.ts';
import { readNotes } from '../db/transfer/transfer-notes.ts';
import type { TransferSide } from '../db/transfer/transfer-side.ts';
import { appendMissing, readDeletionLog } from '../features/audience/deletions/deletion-log.ts';
import { createLog } from '../log/log.ts';
import { DELETION_LOG } from '../serve.ts';
import { protectDataFolder } from '../settings/data-folder.ts';
import type { Settings } from '../settings/settings.ts';
import { CommandError, UsageError } from './errors.ts';

const MASTER_KEY = 'master.key';
const STOP_ADVICE = 'stop it, and start Usher with the new database after the move';

interface OpenedSource {
  side: TransferSide;
  close(): Promise<void>;
}

/** The database of this installation. No server may use a SQLite file meanwhile; of PostgreSQL it would only read. */
export function openSource({ databaseUrl, data, sqliteFile }: Settings): OpenedSource {
  if (databaseUrl !== undefined) {
    const side = openPostgresSide(databaseUrl, createLog('silent'));
    return { side, close: () => side.close() };
  }
  if (!existsSync(sqliteFile)) throw new CommandError(`there is no database at ${sqliteFile}: check USHER_DATA`);
  protectDataFolder(data);
  const unlock = lockServer(data, STOP_ADVICE);
  try {
    const side = openSqliteSide(sqliteFile, { isHeld: true });
    return { side, close: () => side.close().finally(unlock) };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Where everything is moved to. Nothing is created before `open`. */
export interface MoveTarget {
  name: string;
  /**
   * Returns whether the place is empty, or has what a move with this ID has copied. Anything else is an error.
   * @param id of the move that has begun, if one has
   */
  inspect(id: string | undefined): Promise<'empty' | 'begun'>;
  /** Opens the database, with the current schema. */
  open(): Promise<TransferSide>;
  /** Brings what belongs to the database, and is in files. */
  bringFiles(): Promise<void>;
  /** What the operator does next. */
  next: string;
  close(): Promise<void>;
}

export function readTarget(settings: Settings, to: string): MoveTarget {
  const isUrl = /^postgres(ql)?:\/\//.test(to);
  if (!isUrl && /^\w+:\/\//.test(to))
    throw new UsageError('--to is an address such as postgres://user:password@host/database, or a folder');
  if (isUrl === (settings.databaseUrl !== undefined))
    throw new UsageError(
      isUrl
        ? 'everything is on PostgreSQL already: to use another database, make a backup and restore it there'
        : 'everything is in SQLite already: to use another folder, make a backup and restore it there',
    );
  return isUrl ? postgresTarget(to) : sqliteTarget(settings, to);
}

function postgresTarget(url: string): MoveTarget {
  if (!URL.canParse(url)) throw new UsageError('--to is no address such as postgres://user:password@host/database');
  const log = createLog('silent');
  const side = openPostgresSide(url, log);
  return {
    name: side.name,
    inspect: async (id) => {
      if (await isMadeReadOnly(side.db))
        throw new CommandError(
          `nothing can be written to ${side.name}: if everything was moved away from it, allow it with “alter role … in database … reset default_transaction_read_only”`,
        );
      return inspectSide(side, id);
    },
    open: async () => {
      await migrate({ databaseUrl: url });
      return side;
    },
    // The data folder of the nodes has the master key and the deletion log, and stays.
    bringFiles: async () => {},
    next: 'start Usher with DATABASE_URL set to the new database, and with the same master key',
    close: () => side.close(),
  };
}

function sqliteTarget({ data, masterKey }: Settings, to: string): MoveTarget {
  const place = resolve(to);
  const file = /\.db$/.test(place) && !isFolder(place) ? place : join(place, 'usher.db');
  const folder = dirname(file);
  const ownKey = masterKey.keys === undefined && existsSync(masterKey.file) ? masterKey.file : undefined;
  const newKey = join(folder, MASTER_KEY);
  let side: TransferSide | undefined;
  let unlock = () => {};
  return {
    name: file,
    inspect: async (id) => {
      if (ownKey !== undefined && existsSync(newKey) && !readFileSync(newKey).equals(readFileSync(ownKey)))
        throw new CommandError(`${newKey} is another master key than ${ownKey}: name another folder`);
      // An empty file is what a killed process leaves that has just created it.
      if (!existsSync(file) || statSync(file).size === 0) return 'empty';
      const found = openSqliteSide(file);
      try {
        return await inspectSide(found, id);
      } finally {
        await found.close();
      }
    },
    open: async () => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      unlock = lockServer(folder, 'name another folder');
      await migrate({ sqliteFile: file });
      side = openSqliteSide(file);
      return side;
    },
    bringFiles: async () => {
      if (ownKey !== undefined && !existsSync(newKey)) copyFileSync(ownKey, newKey);
      if (folder !== data)
        await appendMissing(join(folder, DELETION_LOG), await readDeletionLog(join(data, DELETION_LOG)));
      protectDataFolder(folder);
    },
    next:
      basename(file) === 'usher.db'
        ? `start Usher with USHER_DATA=${folder}, without DATABASE_URL${ownKey === undefined ? ', and with the same master key' : ''}`
        : `name the file usher.db, and start Usher with its folder as USHER_DATA, without DATABASE_URL`,
    close: async () => {
      await side?.close();
      unlock();
    },
  };
}

function isFolder(place: string): boolean {
  return existsSync(place) && statSync(place).isDirectory();
}

async function migrate(address: { databaseUrl: string } | { sqliteFile: string }): Promise<void> {
  const storage = openStorage(address, createLog('silent'), { isPatient: true });
  try {
    await storage.migrate();
  } finally {
    await storage.close();
  }
}

async function inspectSide(side: TransferSide, id: string | undefined): Promise<'empty' | 'begun'> {
  const found = await side.listTables();
  if (found.includes('installation') && id !== undefined) {
    const { unfinished_move: unfinished, moved_from: complete } = await readNotes(side.db);
    if (unfinished?.id === id || complete?.id === id) return 'begun';
  }
  if (await isEmpty(side, found)) return 'empty';
  throw new CommandError(`${side.name} is not empty: move into a new database, or empty this one. Nothing has changed`);
}

/** A move that was killed right after its beginning leaves the tables without rows. */
async function isEmpty(side: TransferSide, found: readonly string[]): Promise<boolean> {
  if (found.some((name) => name !== 'migrations' && !Object.hasOwn(tables, name))) return false;
  for (const name of found)
    if (name !== 'migrations' && name !== 'installation' && (await side.countRows(name)) > 0) return false;
  if (!found.includes('installation')) return true;
  const { unfinished_move: unfinished, moved_to: moved } = await readNotes(side.db);
  return unfinished === undefined && moved === undefined;
}
