import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupProblem } from '../backup/errors.ts';
import { isDeletionLog } from '../backup/find-deletion-logs.ts';
import { openStore } from '../backup/store.ts';
import { type DeletionEntry, parseDeletionLog } from '../features/audience/deletions/deletion-log.ts';
import { readS3Address } from '../settings/read-backup-settings.ts';
import type { Settings } from '../settings/settings.ts';

interface FetchedBackup {
  file: string;
  /** The users who were forgotten, from the deletion logs beside the backup. */
  entries: DeletionEntry[];
  remove(): void;
}

/** Brings a backup from S3 to the data folder. */
export async function fetchBackup(settings: Settings, address: string): Promise<FetchedBackup> {
  const place = readS3Address(address);
  const name = place?.prefix.split('/').at(-1);
  if (!place || !name) throw new BackupProblem(`name the backup, as usher backup list shows it, not ${address}`);
  const prefix = place.prefix.slice(0, -name.length).replace(/\/$/, '');
  const store = openStore({ bucket: place.bucket, prefix }, settings);
  await mkdir(settings.data, { recursive: true, mode: 0o700 });
  const file = join(settings.data, `usher.db.download-${randomBytes(6).toString('hex')}`);
  const remove = () => rmSync(file, { force: true });
  try {
    const files = await store.list();
    const backup = files.find((one) => one.name === name);
    if (!backup) throw new BackupProblem(`there is no ${address}: usher backup list shows what is there`);
    await store.fetchTo(name, file, backup.bytes);
    const logs = files.filter((one) => isDeletionLog(one.name));
    const texts = await Promise.all(logs.map((log) => store.readText(log.name)));
    return { file, entries: texts.flatMap(parseDeletionLog), remove };
  } catch (error) {
    if (existsSync(file)) remove();
    throw error;
  }
}
