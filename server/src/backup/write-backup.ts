import { chmodSync, closeSync, linkSync, lstatSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { syncPath } from '../db/sqlite/sync-path.ts';
import { codeOf } from '../error-code.ts';
import { BackupProblem, describeProblem } from './errors.ts';
import { nameUnfinished, removeLeftovers } from './remove-leftovers.ts';

export interface WrittenBackup {
  file: string;
  bytes: number;
}

/**
 * Writes a backup so that the file is either complete or absent at every moment: `write` fills another file beside it,
 * which only the owner can read. An existing file is replaced only with `force`.
 */
export async function writeBackup(
  file: string,
  { force = false, what = 'backup' }: { force?: boolean; what?: string },
  write: (part: string) => Promise<void>,
): Promise<WrittenBackup> {
  checkTarget(file, force, what);
  const part = join(dirname(file), nameUnfinished());
  try {
    await removeLeftovers(dirname(file));
    closeSync(openSync(part, 'wx', 0o600));
    chmodSync(part, 0o600);
    await write(part);
    syncPath(part);
    const { size: bytes } = statSync(part);
    putInPlace(part, file, force);
    syncPath(dirname(file));
    return { file, bytes };
  } catch (error) {
    if (error instanceof BackupProblem) throw error;
    if (codeOf(error) === 'EEXIST') throw existsAlready(file);
    throw new BackupProblem(`no ${what} was made at ${file}: ${describeProblem(error)}`);
  } finally {
    for (const left of [part, `${part}-journal`]) rmSync(left, { force: true });
  }
}

/**
 * Creates a link, which fails if the file was created meanwhile; a rename would replace it. Not every file system has
 * links.
 */
function putInPlace(part: string, file: string, force: boolean): void {
  if (!force) {
    try {
      linkSync(part, file);
      return;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') throw error;
    }
  }
  renameSync(part, file);
}

function checkTarget(file: string, force: boolean, what: string): void {
  let found: ReturnType<typeof lstatSync>;
  try {
    found = lstatSync(file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw new BackupProblem(`no ${what} was made at ${file}: ${describeProblem(error)}`);
  }
  if (!found.isFile()) throw new BackupProblem(`${file} is no file: name the file that the ${what} is written to`);
  if (!force) throw existsAlready(file);
}

function existsAlready(file: string): BackupProblem {
  return new BackupProblem(`${file} exists already: name another file, or add --force to replace it`);
}
