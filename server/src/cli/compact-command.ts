import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { requireSpace } from '../backup/back-up-sqlite.ts';
import { BackupProblem } from '../backup/errors.ts';
import { lockDatabase } from '../backup/replace-database.ts';
import { openSqlite } from '../db/sqlite/open-sqlite.ts';
import { FolderInUse, lockServer } from '../db/sqlite/server-lock.ts';
import { takeSnapshot } from '../db/sqlite/snapshot.ts';
import { LOCK_WAIT_MS } from '../db/sqlite/sqlite-connection.ts';
import { emptyLog } from '../db/sqlite/stopped-file.ts';
import { createPrivately } from '../settings/data-folder.ts';
import type { Settings } from '../settings/settings.ts';
import { compactBesideServer } from './compact-beside-server.ts';
import { CommandError } from './errors.ts';

/**
 * `usher compact`: copies the rows into a new file without unused pages, which replaces the database in one step at the end.
 * If this is interrupted, the database is as it was before. A server that runs goes on; if none runs, none can start meanwhile.
 */
export async function runCompact(settings: Settings, say: (text: string) => void): Promise<object> {
  const { data, databaseUrl, sqliteFile } = settings;
  if (databaseUrl !== undefined)
    throw new CommandError('PostgreSQL uses the room of deleted rows again: there is nothing to compact');
  if (!existsSync(sqliteFile)) throw new CommandError(`there is no database at ${sqliteFile}: check USHER_DATA`);
  const unlock = lockIfStopped(data);
  if (!unlock) return compactBesideServer(settings, say);
  try {
    const database = lockDatabase(sqliteFile);
    try {
      const before = statSync(sqliteFile).size;
      // The new file exists twice for a moment.
      requireSpace(sqliteFile, dirname(sqliteFile), before);
      createPrivately(database.prepared);
      await takeSnapshot({ file: sqliteFile, target: database.prepared });
      await clearGaps(database.prepared);
      if (!emptyLog(database.prepared)) throw new BackupProblem(`another program reads ${database.prepared}`);
      database.replace({});
      // A command that waits for the lock of the old file gives up, instead of writing to a file that is gone.
      await pause(LOCK_WAIT_MS + 1000);
      return { compacted: sqliteFile, bytes_before: before, bytes: statSync(sqliteFile).size };
    } finally {
      database.release();
    }
  } finally {
    unlock();
  }
}

/** Returns nothing if a server runs. */
function lockIfStopped(data: string): (() => void) | undefined {
  try {
    return lockServer(data);
  } catch (error) {
    if (error instanceof FolderInUse) return undefined;
    throw error;
  }
}

/** The server would do this at its start. Here nothing waits for it. */
async function clearGaps(file: string): Promise<void> {
  const storage = openSqlite(file);
  try {
    await storage.clearGaps();
  } finally {
    await storage.close();
  }
}
