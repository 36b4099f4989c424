import { chmodSync, constants, copyFileSync, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { toTimestamp } from '@usher/domain';
import { BackupProblem, describeProblem } from '../backup/errors.ts';
import { findDeletionLogs } from '../backup/find-deletion-logs.ts';
import { checkBackup, checkIsDump, checkIsSqlite } from '../backup/open-backup.ts';
import { lockDatabase } from '../backup/replace-database.ts';
import type { AppContext } from '../context.ts';
import { lockServer } from '../db/sqlite/server-lock.ts';
import { emptyLog, readDeletions, removeMoveNote, removePrograms } from '../db/sqlite/stopped-file.ts';
import { applyDeletions } from '../features/audience/deletions/apply-deletions.ts';
import { appendMissing, type DeletionEntry, readDeletionLog } from '../features/audience/deletions/deletion-log.ts';
import { requireKey } from '../keys/master-key.ts';
import { createLog } from '../log/log.ts';
import { DELETION_LOG, openAppContext } from '../serve.ts';
import { protectDataFolder } from '../settings/data-folder.ts';
import type { Settings } from '../settings/settings.ts';
import { findSendingPause, pauseFrom } from '../webhooks/sending/paused.ts';
import { CommandError, UsageError } from './errors.ts';
import { fetchBackup } from './fetch-backup.ts';
import { openDump, openForRestore } from './restore-postgres.ts';

/** `usher restore FILE`. Servers cannot start meanwhile. */
export async function runRestore(
  settings: Settings,
  words: string[],
  { force = false }: { force?: boolean } = {},
): Promise<object> {
  const [name, another] = words;
  if (name === undefined || another !== undefined) throw new UsageError('give one file: usher restore FILE');
  const { databaseUrl } = settings;
  if (force && databaseUrl === undefined)
    throw new UsageError('on SQLite a restore keeps the database that it replaces: it needs no --force');
  const fetched = /^\w+:\/\//.test(name) ? await fetchBackup(settings, name) : undefined;
  const file = fetched?.file ?? resolve(name);
  const source = { file, name: fetched ? name : file, entries: fetched?.entries ?? [] };
  try {
    if (databaseUrl !== undefined) return await restoreOnPostgres({ ...settings, databaseUrl }, source, force);
    checkIsSqlite(file);
    protectDataFolder(settings.data);
    const unlock = lockServer(settings.data, 'stop it, restore, and start it again');
    try {
      return await restore(settings, source);
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
    removeMoveNote(database.prepared);
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
  const app = await openAppContext(settings, createLog('silent'), undefined, { isPatient: true, isRestoring: true });
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

/**
 * Restores into an empty database, or with `force` instead of what is there. The role of Usher can only read it meanwhile, so
 * no node works with a part of the data, or with users who are to be forgotten again.
 */
async function restoreOnPostgres(
  settings: Settings & { databaseUrl: string },
  { file, name, entries: others }: Source,
  force: boolean,
): Promise<object> {
  checkIsDump(file);
  const dump = await openDump(file, name, settings.programEnv);
  requireKey(dump.masterKey, settings.masterKey);
  const database = await openForRestore(settings, force);
  try {
    const logs = await readEntries(findDeletionLogs(file, join(settings.data, DELETION_LOG)));
    const entries = [...logs, ...database.deletions, ...others];
    const result = await database.fill(dump, async (databaseUrl) => prepare({ ...settings, databaseUrl }, entries));
    await appendMissing(join(settings.data, DELETION_LOG), entries);
    return {
      restored: name,
      ...result,
      ...(entries.length === 0 && { note: NO_DELETIONS }),
      ...(database.isReplacing && { replaced: 'what was in the database is gone' }),
    };
  } finally {
    await database.close();
  }
}

async function readEntries(files: readonly string[]): Promise<DeletionEntry[]> {
  return (await Promise.all(files.map(readDeletionLog))).flat();
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
