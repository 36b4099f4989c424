import { chmodSync, copyFileSync, existsSync, linkSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { lockStoppedFile } from '../db/sqlite/stopped-file.ts';
import { syncPath } from '../db/sqlite/sync-path.ts';
import { BackupProblem } from './errors.ts';

/** The suffixes of the files beside the database: the prepared one, its copy without a log, and the replaced one. */
const PREPARED = '.restoring';
const RESTORED = '.restored';
const KEPT = '.before-restore-';

interface LockedDatabase {
  /** The file in which the next database is prepared. */
  prepared: string;
  /** Puts the prepared file in place. Returns the new name of the replaced file, if there was one and it is kept. */
  replace(options: { keepAt?: Date }): string | undefined;
  /** Removes the prepared file if it is not in place, and lets servers open the database again. */
  release(): void;
}

/**
 * Locks a SQLite database that is to be replaced: no one else can write to it. Its log is copied into the file first, so the file
 * alone is the whole database.
 */
export function lockDatabase(file: string): LockedDatabase {
  const exists = existsSync(file);
  const lock = exists ? lockStoppedFile(file) : { release: () => {} };
  if (!lock)
    throw new BackupProblem(`${file} is in use: stop Usher, and every command that works on it, then try again`);
  const prepared = file + PREPARED;
  const restored = file + RESTORED;
  removeUnfinishedRestore(file);
  return {
    prepared,
    replace: ({ keepAt }) => {
      // The file is copied, because this process still has the prepared file open.
      copyFileSync(prepared, restored);
      chmodSync(restored, 0o600);
      syncPath(restored);
      const kept = exists && keepAt ? keep(file, keepAt) : undefined;
      moveLogs(file, kept);
      // From here on the new database is in use, whenever the process ends.
      renameSync(restored, file);
      syncPath(dirname(file));
      return kept;
    },
    release: () => {
      lock.release();
      removePrepared(file);
    },
  };
}

/**
 * Removes what a killed restore has left behind, because it may contain data of users who are forgotten. Call it only
 * from a process that has locked the data folder, so that no restore is running.
 */
export function removeUnfinishedRestore(file: string): void {
  removePrepared(file);
  removeUnusedLinks(file);
}

function removePrepared(file: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(file + PREPARED + end, { force: true });
  rmSync(file + RESTORED, { force: true });
}

/**
 * Creates a link and does not rename, so that a database exists at every moment. Otherwise a server that starts now
 * would create an empty one.
 */
function keep(file: string, now: Date): string {
  const kept = `${file}${KEPT}${now.toISOString().replace(/[:.]/g, '-')}`;
  try {
    linkSync(file, kept);
  } catch {
    // Not every file system has links.
    copyFileSync(file, kept);
    chmodSync(kept, 0o600);
  }
  syncPath(dirname(file));
  return kept;
}

/**
 * Moves the log away, because SQLite would apply it to the other database. It is empty, unless the database could not
 * be opened.
 */
function moveLogs(file: string, kept: string | undefined): void {
  for (const end of ['-wal', '-journal'])
    if (kept !== undefined && existsSync(file + end) && statSync(file + end).size > 0)
      renameSync(file + end, kept + end);
    else rmSync(file + end, { force: true });
  rmSync(`${file}-shm`, { force: true });
}

/** Removes the second name of the database in use, which a restore leaves that was killed before its last step. */
function removeUnusedLinks(file: string): void {
  if (!existsSync(file)) return;
  const { ino, dev } = statSync(file);
  for (const name of readdirSync(dirname(file))) {
    if (!name.startsWith(basename(file) + KEPT)) continue;
    const other = statSync(join(dirname(file), name));
    if (other.ino === ino && other.dev === dev) rmSync(join(dirname(file), name));
  }
}
