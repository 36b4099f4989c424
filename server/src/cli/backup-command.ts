import { resolve } from 'node:path';
import { backupNames } from '../backup/backup-names.ts';
import { BackupProblem } from '../backup/errors.ts';
import { backUp } from '../backup/schedule-backups.ts';
import { openStore } from '../backup/store.ts';
import { openStorage } from '../db/open-storage.ts';
import { createLog } from '../log.ts';
import type { Settings } from '../settings.ts';
import { UsageError } from './errors.ts';

/** `usher backup FILE` and `usher backup list`. They neither migrate the database nor need the master key. */
export async function runBackup(settings: Settings, words: string[], options: { force?: boolean }): Promise<unknown> {
  const [name, another] = words;
  if (name === 'list' && another === undefined) return listBackups(settings);
  if (name === undefined || another !== undefined) throw new UsageError('give one file: usher backup FILE');
  if (/^\w+:\/\//.test(name))
    throw new UsageError('name a file: backups to s3:// are made automatically, with USHER_BACKUP_TO');
  const file = resolve(name);
  const { databaseUrl } = settings;
  const storage =
    databaseUrl === undefined ? undefined : openStorage({ databaseUrl }, createLog('silent'), { isPatient: true });
  try {
    const { bytes } = await backUp(storage, settings, file, options);
    const restore = databaseUrl === undefined ? `usher restore ${file}` : 'with pg_restore, as docs/backup.md says';
    return { file, bytes, restore, master_key: 'is not in it: keep a copy of it elsewhere' };
  } finally {
    await storage?.close();
  }
}

async function listBackups(settings: Settings): Promise<unknown> {
  if (!settings.backup)
    throw new BackupProblem('USHER_BACKUP_TO is not set here: commands need the same settings as the server');
  const { to } = settings.backup;
  const place = 'folder' in to ? to.folder : ['s3:/', to.bucket, to.prefix].filter((part) => part !== '').join('/');
  const files = (await openStore(to, settings).list()).filter(({ name }) => backupNames.matches(name));
  return files
    .sort((a, b) => (a.name < b.name ? 1 : -1))
    .map(({ name, bytes }) => ({ backup: `${place}/${name}`, bytes }));
}
