import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../error-code.ts';

const OWNER_ONLY_FOLDER = 0o700;
const OWNER_ONLY_FILE = 0o600;
/** Matches the database with its log, the master key, and the deletion log. */
const ownFile = /^(usher\.db|master\.key|forgotten\.jsonl)/;

/**
 * Makes the data folder readable only by the owner of this process, regardless of the umask and of what an earlier version
 * has left there. A folder of another owner, such as a mounted volume, keeps its mode. Then only the files are protected.
 */
export function protectDataFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
  const { uid, mode } = statSync(folder);
  // A sticky folder, such as /tmp, is shared on purpose.
  if (uid === process.getuid?.() && (mode & 0o1000) === 0) chmodSync(folder, OWNER_ONLY_FOLDER);
  for (const name of readdirSync(folder)) if (ownFile.test(name)) restrict(join(folder, name));
}

/**
 * Creates the database file, readable only by its owner. SQLite gives its log the same mode. An existing file is not
 * opened: closing it would release the locks that this process has on it.
 */
export function createPrivately(file: string): void {
  try {
    closeSync(openSync(file, 'wx', OWNER_ONLY_FILE));
    chmodSync(file, OWNER_ONLY_FILE);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

function restrict(file: string): void {
  try {
    const { uid, mode } = statSync(file);
    if (uid === process.getuid?.() && (mode & 0o077) !== 0) chmodSync(file, OWNER_ONLY_FILE);
  } catch (error) {
    // Another process that ends can remove its log at any moment.
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}
