import { lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { codeOf } from '../../error-code.ts';
import { createPrivately } from '../../settings/data-folder.ts';
import { WrongSetting } from '../../settings/read-setting.ts';

const SERVER_ADVICE = 'stop it, or set USHER_DATA to another folder. Several servers need PostgreSQL (DATABASE_URL)';

/** Another server uses the data folder. It may be about to end, so trying again can help. */
export class FolderInUse extends Error {}

/**
 * Lets one server at a time use a data folder, and returns what releases it. Commands work beside the server, so they
 * do not take this lock.
 *
 * It is SQLite's own lock, on an empty file. The system releases it when the process ends, however it ends, so nothing is
 * left behind by `kill -9`. It also works between containers that share a volume, where process IDs say nothing. The file
 * must not be opened in another way: closing it would release the lock.
 * @param advice what to do if a server uses the folder
 */
export function lockServer(folder: string, advice = SERVER_ADVICE): () => void {
  const description = join(folder, 'server.pid');
  const unlock = tryLock(join(folder, 'server.lock'));
  if (!unlock)
    throw new FolderInUse(`another server uses the data folder ${folder}${readIfThere(description)}: ${advice}`);
  describe(description);
  let isLocked = true;
  return () => {
    if (!isLocked) return;
    isLocked = false;
    rmSync(description, { force: true });
    unlock();
  };
}

/** Locks an empty file, which is created if there is none. Returns what releases it, or undefined if it is locked. */
export function tryLock(file: string): (() => void) | undefined {
  createPrivately(file);
  const connection = openLock(file);
  try {
    connection.exec('pragma busy_timeout = 0; pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    connection.close();
    if (!/^SQLITE_BUSY/.test(codeOf(error))) throw notUsable(file);
    return undefined;
  }
  return () => connection.close();
}

/** A link could lead to a file that others lock. */
function openLock(file: string): Database.Database {
  try {
    if (lstatSync(file).isFile()) return new Database(file);
  } catch {}
  throw notUsable(file);
}

function notUsable(file: string): WrongSetting {
  return new WrongSetting(
    `${file} must be an empty file of the user that runs Usher: if no server uses the folder, remove the file`,
  );
}

/**
 * Writes what the message to a second server shows. Nothing else needs it, so errors are ignored. A link is replaced,
 * not followed.
 */
function describe(file: string): void {
  try {
    rmSync(file, { force: true });
    writeFileSync(file, `process ${process.pid} on ${hostname()}\n`, { mode: 0o600, flag: 'wx' });
  } catch {}
}

/** The description may be missing: the server writes it a moment after it took the lock. */
function readIfThere(file: string): string {
  try {
    return ` (${readFileSync(file, 'utf8').trim()})`;
  } catch {
    return '';
  }
}
