import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { migrations } from '../db/migrations/index.ts';
import { isWholeFile, readMigrations } from '../db/sqlite/stopped-file.ts';
import { codeOf } from '../error-code.ts';
import { BackupProblem, describeProblem } from './errors.ts';

const SQLITE_HEADER = 'SQLite format 3\0';
const HEADER_BYTES = 100;
const POSTGRES_HEADER = 'PGDMP';

/** Rejects a file that is no SQLite database, before anything is copied. */
export function checkIsSqlite(file: string): void {
  const { bytes, size } = readStart(file);
  const start = bytes.toString('latin1');
  if (start.startsWith(SQLITE_HEADER)) {
    // SQLite reads the missing part as zeros, and reports no damage if only texts are missing.
    if (bytes.length < HEADER_BYTES || isCutOff(bytes, size)) throw damaged(file);
    return;
  }
  if (start.startsWith(POSTGRES_HEADER))
    throw new BackupProblem(
      `${file} is a backup of PostgreSQL: set DATABASE_URL to an empty database, and restore it there`,
    );
  throw new BackupProblem(`${file} is no backup of Usher`);
}

/** Rejects a file that is no dump of PostgreSQL, before anything is changed. */
export function checkIsDump(file: string): void {
  const start = readStart(file).bytes.toString('latin1');
  if (start.startsWith(SQLITE_HEADER))
    throw new BackupProblem(
      `${file} is a backup of SQLite: restore it without DATABASE_URL, and then “usher move --to …” brings it to PostgreSQL`,
    );
  if (!start.startsWith(POSTGRES_HEADER)) throw new BackupProblem(`${file} is no backup of Usher`);
}

/**
 * Compares the size of the file with the size in its header, which is valid if a recent SQLite has written the file.
 */
function isCutOff(header: Buffer, size: number): boolean {
  const pageBytes = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  const pages = header.readUInt32BE(24) === header.readUInt32BE(92) ? header.readUInt32BE(28) : 0;
  return size % pageBytes !== 0 || size < pages * pageBytes;
}

function damaged(name: string): BackupProblem {
  return new BackupProblem(`${name} is damaged or was cut off: use another backup`);
}

function readStart(file: string): { bytes: Buffer; size: number } {
  try {
    const found = statSync(file);
    if (!found.isFile()) throw new BackupProblem(`${file} is no file: name the backup to restore`);
    const handle = openSync(file, 'r');
    try {
      const bytes = Buffer.alloc(HEADER_BYTES);
      return { bytes: bytes.subarray(0, readSync(handle, bytes)), size: found.size };
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (error instanceof BackupProblem) throw error;
    const isMissing = codeOf(error) === 'ENOENT';
    throw new BackupProblem(isMissing ? `there is no file ${file}` : `${file}: ${describeProblem(error)}`);
  }
}

/**
 * Checks a copy of a backup: that it is whole, of Usher, and of no newer version.
 * @param name what the operator calls the backup
 */
export function checkBackup(copy: string, name: string): void {
  if (!isWholeFile(copy)) throw damaged(name);
  const names = readMigrations(copy);
  checkMigrations(names, name);
}

/**
 * Checks that a backup is of Usher, and of no newer version.
 * @param names of its migrations, if it has such
 */
export function checkMigrations(names: readonly string[] | undefined, name: string): void {
  if (names === undefined) throw new BackupProblem(`${name} is a database, but no backup of Usher`);
  const newer = names.find((migration) => !(migration in migrations));
  if (newer !== undefined)
    throw new BackupProblem(
      `${name} is of a newer version of Usher, with the schema ${newer}: restore it with that version`,
    );
}
