import { chmodSync, constants, copyFileSync, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { toTimestamp } from '@usher/domain';
import { BackupProblem, describeProblem } from '../backup/errors.ts';
import { findDeletionLogs } from '../backup/find-deletion-logs.ts';
import { checkBackup, checkIsSqlite } from '../backup/open-backup.ts';
import { lockDatabase } from '../backup/replace-database.ts';
import type { AppContext } from '../context.ts';
import { lockServer } from '../db/sqlite/server-lock.ts';
import { emptyLog, readDeletions, removePrograms } from '../db/sqlite/stopped-file.ts';
import { applyDeletions } from '../features/audience/deletions/apply-deletions.ts';
import { appendEntries, type DeletionEntry, readDeletionLog } from '../features/audience/deletions/deletion-log.ts';
import { createLog } from '../log/log.ts';
import { DELETION_LOG, openAppContext } from '../serve.ts';
import { protectDataFolder } from '../settings/data-folder.ts';
import type { Settings } from '../settings/settings.ts';
import { findSendingPause, pauseFrom } from '../webhooks/sending/paused.ts';
import { CommandError, UsageError } from './errors.ts';
import { fetchBackup } from './fetch-backup.ts';

/** `usher restore FILE`. Servers cannot start meanwhile. */
export async function runRestore(settings: Settings, words: string[]): Promise<object> {
  const [name, another] = words;
  if (name === undefined || another !== undefined) throw new UsageError('give one file: usher restore FILE');
  if (settings.databaseUrl !== undefined)
    throw new BackupProblem('on PostgreSQL pg_restore restores a backup into a new database: see docs/backup.md');
  const fetched = /^\w+:\/\//.test(name) ? await fetchBackup(settings, name) : undefined;
  const file = fetched?.file ?? resolve(name);
  try {
    checkIsSqlite(file);
    protectDataFolder(settings.data);
    const unlock = lockServer(settings.data, 'stop it, restore, and start it again');
    try {
      return await restore(settings, { file, name: fetched ? name : file, entries: fetched?.entries ?? [] });
    } finally {
      unlock();
    }
  } finally {
    fetched?.remove();
  }
}

interface Source {
  file: string;
  /** The name that the operator gave for the backup. */
  name: string;
  /** The forgotten users that no file on this machine lists. */
  entries: readonly DeletionEntry[];
}

/**
 * When a backup moves to another machine, the log is easily left behind, and forgotten users would be back unnoticed.
 */
const NO_DELETIONS =
  'no deletion log was found. If users were forgotten after the backup: usher deletion apply forgotten.jsonl';

/**
 * Restores into a copy beside the database, which replaces the database in one step at the end. If the restore is
 * interrupted, or the backup cannot be used, the database is as it was before.
 */
async function restore(settings: Settings, { file, name, entries: others }: Source): Promise<object> {
  const { data, sqliteFile } = settings;
  const replaced = existsSync(sqliteFile) ? readDeletions(sqliteFile) : [];
  const database = lockDatabase(sqliteFile);
  try {
    copy(file, database.prepared);
    checkBackup(database.prepared, name);
    const removed = removePrograms(database.prepared);
    const entries = [...(await readEntries(findDeletionLogs(file, sqliteFile))), ...replaced, ...others];
    const result = await prepare({ ...settings, sqliteFile: database.prepared, backupBeforeUpdate: false }, entries);
    if (!emptyLog(database.prepared)) throw new BackupProblem(`another program reads ${database.prepared}`);
    // The log also gets users who were forgotten after another backup, so that this machine can restore any backup.
    await appendMissing(join(data, DELETION_LOG), entries);
    const replacedFile = database.replace({ keepAt: new Date() });
    const note = entries.length === 0 && { note: NO_DELETIONS };
    return { restored: name, ...result, ...note, ...(removed.length > 0 && { removed }), replaced: replacedFile };
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

/**
 * Migrates the copy, checks the master key, forgets the users of the deletion logs again, and makes the copy one file
 * without a log.
 */
async function prepare(settings: Settings, entries: readonly DeletionEntry[]): Promise<object> {
  const app = await openAppContext(settings, createLog('silent'), undefined, { isPatient: true });
  try {
    const forgotten = await applyDeletions(app, entries);
    const at = app.now();
    await app.storage.write(null, (db) =>
      pauseFrom(db, { reason: `restored at ${toTimestamp(at).slice(0, 16).replace('T', ' ')} UTC`, at }),
    );
    const pause = await findSendingPause(app.storage);
    return {
      forgotten_again: forgotten,
      webhooks: `paused (${pause?.reason}): usher webhooks resume turns sending on`,
    };
  } finally {
    await app.storage.close();
  }
}

async function readEntries(files: readonly string[]): Promise<DeletionEntry[]> {
  return (await Promise.all(files.map(readDeletionLog))).flat();
}

async function appendMissing(file: string, entries: readonly DeletionEntry[]): Promise<void> {
  const known = new Set((await readDeletionLog(file)).map(({ deletion_id }) => deletion_id));
  const missing = new Map(entries.map((entry) => [entry.deletion_id, entry]));
  await appendEntries(
    file,
    [...missing.values()].filter(({ deletion_id }) => !known.has(deletion_id)),
  );
}

/** `usher deletion apply FILE…`: for a database that was restored in another way. */
export async function runDeletionApply(app: AppContext, files: string[]): Promise<object> {
  if (files.length === 0) throw new UsageError('give the deletion logs: usher deletion apply FILE…');
  const missing = files.find((file) => !existsSync(file));
  if (missing !== undefined)
    throw new UsageError(`there is no file ${missing}: without one, no user was forgotten there`);
  const entries = await readEntries(files);
  if (entries.length === 0)
    throw new CommandError(`no user is named in ${files.join(', ')}: give deletion logs, such as data/forgotten.jsonl`);
  return { entries: entries.length, forgotten_again: await applyDeletions(app, entries) };
}
