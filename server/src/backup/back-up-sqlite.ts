import { existsSync } from 'node:fs';
import { toTimestamp } from '@usher/domain';
import { takeSnapshot } from '../db/sqlite/snapshot.ts';
import { BackupProblem } from './errors.ts';
import { type WrittenBackup, writeBackup } from './write-backup.ts';

/** Backs up a SQLite database, also while a server uses it. */
export function backUpSqlite(
  sqliteFile: string,
  file: string,
  options: { force?: boolean; now?: number } = {},
): Promise<WrittenBackup> {
  if (!existsSync(sqliteFile)) throw new BackupProblem(`there is no database at ${sqliteFile}: check USHER_DATA`);
  const reason = `restored from the backup of ${toTimestamp(options.now ?? Date.now())}`;
  return writeBackup(file, options, (target) => takeSnapshot({ file: sqliteFile, target, reason }));
}
