import { rm, stat } from 'node:fs/promises';
import type { Millis } from '@usher/domain';
import type { Storage } from '../db/storage.ts';
import type { Settings } from '../settings/settings.ts';
import { backUpSqlite } from './back-up-sqlite.ts';
import { BackupProblem, TooLittleSpace } from './errors.ts';

/** The backup is stored beside the database. The next update replaces it, and it is deleted when it is no longer useful. */
const BEFORE_UPDATE = '.before-update';

/** The backup is not kept longer, because it contains users who were forgotten since. */
const KEEP_MS = 30 * 24 * 60 * 60_000;

export type Say = (level: 'info' | 'warn', text: string) => void;

/**
 * Backs up a SQLite database whose schema is about to change, because without a backup there is no way back to the
 * previous version. The disk must have room for the backup beside what the server needs. Otherwise the update goes on
 * without a backup, as if this setting were off.
 */
export async function backUpBeforeUpdate(
  { sqliteFile, databaseUrl, minFreeDisk, backupBeforeUpdate }: Settings,
  say: Say,
): Promise<void> {
  if (databaseUrl !== undefined || !backupBeforeUpdate) return;
  const file = sqliteFile + BEFORE_UPDATE;
  try {
    await backUpSqlite(sqliteFile, file, { force: true, leaveFree: minFreeDisk });
    say('info', `the database was backed up before the update: ${file}`);
  } catch (error) {
    if (!(error instanceof BackupProblem)) throw error;
    if (!(error instanceof TooLittleSpace))
      throw new BackupProblem(
        `the database is not updated, because it cannot be backed up before (${error.message}). With USHER_BACKUP_BEFORE_UPDATE=false it is updated without a backup`,
      );
    say('warn', `the database is updated without a backup: ${error.message}`);
  }
}

/** Deletes an old backup from before an update. */
export async function deleteOldUpdateBackup(address: Storage['address'], now: Millis): Promise<void> {
  if (!('sqliteFile' in address)) return;
  const file = address.sqliteFile + BEFORE_UPDATE;
  const found = await stat(file).catch(() => undefined);
  if (found && now - found.mtimeMs > KEEP_MS) await rm(file, { force: true });
}
