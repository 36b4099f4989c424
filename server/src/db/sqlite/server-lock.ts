import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { createPrivately } from '../../data-folder.ts';
import { WrongSetting } from '../../read-setting.ts';

const SERVER_ADVICE = 'stop it, or set USHER_DATA to another folder. Several servers need PostgreSQL (DATABASE_URL)';

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
  const file = join(folder, 'server.lock');
  const description = join(folder, 'server.pid');
  createPrivately(file);
  const connection = new Database(file);
  try {
    connection.exec('pragma busy_timeout = 0; pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    connection.close();
    if (!/^SQLITE_BUSY/.test(String((error as { code?: unknown }).code))) throw error;
    throw new WrongSetting(`another server uses the data folder ${folder}${readIfThere(description)}: ${advice}`);
  }
  writeFileSync(description, `process ${process.pid} on ${hostname()}\n`, { mode: 0o600 });
  return () => {
    if (!connection.open) return;
    rmSync(description, { force: true });
    connection.close();
  };
}

/** It is written a moment after the lock was taken. */
function readIfThere(file: string): string {
  try {
    return ` (${readFileSync(file, 'utf8').trim()})`;
  } catch {
    return '';
  }
}
