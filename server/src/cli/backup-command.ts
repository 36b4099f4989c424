import { resolve } from 'node:path';
import { backupNames } from '../backup/backup-names.ts';
import { BackupProblem } from '../backup/errors.ts';
import { FolderStore } from '../backup/folder-store.ts';
import { backUp } from '../backup/schedule-backups.ts';
import { describeTarget, openStore } from '../backup/store.ts';
import type { WrittenBackup } from '../backup/write-backup.ts';
import { openStorage } from '../db/open-storage.ts';
import { createLog } from '../log/log.ts';
import { readBackupTarget } from '../settings/read-backup-settings.ts';
import type { Settings } from '../settings/settings.ts';
import { UsageError } from './errors.ts';

export interface BackupOptions {
  force?: boolean;
  /** A folder, or an address of S3. */
  to?: string;
}

/**
 * `usher backup FILE`, `usher backup --to FOLDER` and `usher backup list`. They neither migrate the database nor need the
 * master key.
 */
export async function runBackup(settings: Settings, words: string[], options: BackupOptions): Promise<unknown> {
  const [name, another] = words;
  if (name === 'list' && another === undefined && options.to === undefined) return listBackups(settings);
  if (another !== undefined || (name === undefined) === (options.to === undefined))
    throw new UsageError('give one file, or one folder: usher backup FILE, or usher backup --to FOLDER');
  if (name !== undefined && /^\w+:\/\//.test(name))
    throw new UsageError(`name a file, or give the address as a place for backups: usher backup --to ${name}`);
  const { databaseUrl } = settings;
  const storage =
    databaseUrl === undefined ? undefined : openStorage({ databaseUrl }, createLog('silent'), { isPatient: true });
  try {
    const { file, bytes } = await (name === undefined
      ? backUpTo(options.to ?? '', settings, (target) => backUp(storage, settings, target))
      : backUp(storage, settings, resolve(name), options));
    return { file, bytes, restore: `usher restore ${file}`, master_key: 'is not in it: keep a copy of it elsewhere' };
  } finally {
    await storage?.close();
  }
}

/**
 * Makes a backup in the place of scheduled backups, with a name like theirs. Only this command creates the folder of
 * scheduled backups.
 */
async function backUpTo(
  place: string,
  settings: Settings,
  make: (file: string) => Promise<unknown>,
): Promise<WrittenBackup> {
  const to = readBackupTarget('--to', place, settings.s3);
  const store = openStore(to, settings);
  if (store instanceof FolderStore) await store.create();
  const { databaseUrl } = settings;
  const { name, bytes } = await store.save(
    backupNames.create(Date.now(), databaseUrl === undefined ? 'db' : 'dump'),
    make,
  );
  return { file: `${describeTarget(to)}/${name}`, bytes };
}

async function listBackups(settings: Settings): Promise<unknown> {
  if (!settings.backup)
    throw new BackupProblem('USHER_BACKUP_TO is not set here: commands need the same settings as the server');
  const { to } = settings.backup;
  const place = describeTarget(to);
  const files = (await openStore(to, settings).list()).filter(({ name }) => backupNames.matches(name));
  return files
    .sort((a, b) => (a.name < b.name ? 1 : -1))
    .map(({ name, bytes }) => ({ backup: `${place}/${name}`, bytes }));
}
