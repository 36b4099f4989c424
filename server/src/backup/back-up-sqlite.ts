import { existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { toTimestamp } from '@usher/domain';
import { takeSnapshot } from '../db/sqlite/snapshot.ts';
import { BackupProblem, TooLittleSpace } from './errors.ts';
import { type WrittenBackup, writeBackup } from './write-backup.ts';

/** Backs up a SQLite database, also while a server uses it. */
export async function backUpSqlite(
  sqliteFile: string,
  file: string,
  options: { force?: boolean /** So many bytes of the disk stay free. */; leaveFree?: number } = {},
): Promise<WrittenBackup> {
  if (!existsSync(sqliteFile)) throw new BackupProblem(`there is no database at ${sqliteFile}: check USHER_DATA`);
  if (['', '-wal', '-shm', '-journal'].some((end) => isSameFile(sqliteFile + end, file)))
    throw new BackupProblem(`${file} is the database itself: name another file`);
  const reason = `restored from the backup of ${toTimestamp(Date.now()).slice(0, 16).replace('T', ' ')} UTC`;
  return writeBackup(file, options, async (target) => {
    requireSpace(sqliteFile, dirname(file), options.leaveFree ?? 0);
    await takeSnapshot({ file: sqliteFile, target, reason });
  });
}

/** Without this check, `--force` would replace the database of a running server. */
function isSameFile(one: string, other: string): boolean {
  if (one === other) return true;
  if (!existsSync(one) || !existsSync(other)) return false;
  const [{ ino, dev }, found] = [statSync(one), statSync(other)];
  return found.ino === ino && found.dev === dev;
}

/** A backup that fills the disk of the database would stop the server. */
export function requireSpace(sqliteFile: string, folder: string, leaveFree: number): void {
  const size = statSync(sqliteFile).size + leaveFree;
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize >= size) return;
  const megabytes = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`;
  throw new TooLittleSpace(
    `there is too little space in ${folder}: this needs up to ${megabytes(size)}, and ${megabytes(bavail * bsize)} are free`,
  );
}
