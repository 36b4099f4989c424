import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { migrations } from '../db/migrations/index.ts';
import { isWholeFile, readMigrations } from '../db/sqlite/stopped-file.ts';
import { BackupProblem, describeProblem } from './errors.ts';

const SQLITE_HEADER = 'SQLite format 3\0';
const POSTGRES_HEADER = 'PGDMP';

/** Rejects a file that is no SQLite database, before anything is copied. */
export function checkIsSqlite(file: string): void {
  const start = readStart(file);
  if (start.startsWith(SQLITE_HEADER)) return;
  if (start.startsWith(POSTGRES_HEADER))
    throw new BackupProblem(`${file} is a backup of PostgreSQL: pg_restore restores it, as docs/backup.md says`);
  throw new BackupProblem(`${file} is no backup of Usher`);
}

function readStart(file: string): string {
  try {
    if (!statSync(file).isFile()) throw new BackupProblem(`${file} is no file: name the backup to restore`);
    const handle = openSync(file, 'r');
    try {
      const bytes = Buffer.alloc(SQLITE_HEADER.length);
      return bytes.subarray(0, readSync(handle, bytes)).toString('latin1');
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (error instanceof BackupProblem) throw error;
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new BackupProblem(isMissing ? `there is no file ${file}` : `${file}: ${describeProblem(error)}`);
  }
}

/**
 * Checks a copy of a backup: that it is whole, of Usher, and of no newer version.
 * @param name what the operator calls the backup
 */
export function checkBackup(copy: string, name: string): void {
  if (!isWholeFile(copy)) throw new BackupProblem(`${name} is damaged or was cut off: use another backup`);
  const names = readMigrations(copy);
  if (names === undefined) throw new BackupProblem(`${name} is a database, but no backup of Usher`);
  const newer = names.find((migration) => !(migration in migrations));
  if (newer !== undefined)
    throw new BackupProblem(
      `${name} is of a newer version of Usher, with the schema ${newer}: restore it with that version`,
    );
}
