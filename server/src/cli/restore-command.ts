import { chmodSync, constants, copyFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { toTimestamp } from '@usher/domain';
import { BackupProblem, describeProblem } from '../backup/errors.ts';
import { checkBackup, checkIsSqlite } from '../backup/open-backup.ts';
import { lockDatabase } from '../backup/replace-database.ts';
import { protectDataFolder } from '../data-folder.ts';
import { removeLog } from '../db/sqlite/stopped-file.ts';
import { createLog } from '../log.ts';
import { openAppContext } from '../serve.ts';
import type { Settings } from '../settings.ts';
import { findSendingPause, pauseSending } from '../webhooks/sending/paused.ts';
import { UsageError } from './errors.ts';

/**
 * `usher restore FILE`. Everything happens in a copy beside the database, which replaces it in one step at the end. If
 * this is interrupted, or the backup cannot be used, the database is as it was before.
 */
export async function runRestore(settings: Settings, words: string[]): Promise<object> {
  const [name, another] = words;
  if (name === undefined || another !== undefined) throw new UsageError('give one file: usher restore FILE');
  if (settings.databaseUrl !== undefined)
    throw new BackupProblem('on PostgreSQL pg_restore restores a backup into a new database: see docs/backup.md');
  const file = resolve(name);
  checkIsSqlite(file);
  protectDataFolder(settings.data);
  const database = lockDatabase(settings.sqliteFile);
  try {
    copy(file, database.prepared);
    checkBackup(database.prepared, file);
    const result = await prepare({ ...settings, sqliteFile: database.prepared });
    const kept = database.replace(new Date());
    return { restored: file, ...result, replaced: kept };
  } finally {
    database.release();
  }
}

function copy(file: string, prepared: string): void {
  try {
    copyFileSync(file, prepared, constants.COPYFILE_EXCL);
    chmodSync(prepared, 0o600);
  } catch (error) {
    throw new BackupProblem(`${file} could not be copied to ${prepared}: ${describeProblem(error)}`);
  }
}

/** Migrates the copy, checks the master key, and makes it one file without a log. */
async function prepare(settings: Settings): Promise<object> {
  const app = await openAppContext(settings, createLog('silent'));
  try {
    const at = app.now();
    await app.storage.write(null, (db) => pauseSending(db, { reason: `restored at ${toTimestamp(at)}`, at }));
    const pause = await findSendingPause(app.storage);
    return { webhooks: `paused (${pause?.reason}): usher webhooks resume turns sending on` };
  } finally {
    await app.storage.close();
    removeLog(settings.sqliteFile);
  }
}
