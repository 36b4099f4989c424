import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '@usher/domain';
import { parse, stringify } from 'yaml';
import { CommandError } from './errors.ts';

/** What `usher.lock` knows about a file in one account. */
interface LockedFile {
  id: string;
  version: string;
  parts: Record<string, string>;
}

/** The files of one account by their names, such as `tours/welcome`. */
export type Lock = Map<string, LockedFile>;

interface LockFile {
  accounts: Record<string, Record<string, LockedFile>>;
}

const LOCK_FILE = 'usher.lock';
const head = '# usher pull and usher apply write this file: the record that each file stands for, in every account.\n';

export async function readLock(dir: string, accountId: string): Promise<Lock> {
  const { accounts } = await readAll(dir);
  return new Map(Object.entries(accounts[accountId] ?? {}));
}

/** Replaces what the file knows about one account. */
export async function writeLock(dir: string, accountId: string, lock: Lock): Promise<void> {
  const { accounts } = await readAll(dir);
  const sorted = <T>(entries: Iterable<[string, T]>) =>
    Object.fromEntries([...entries].sort(([one], [other]) => (one < other ? -1 : 1)));
  accounts[accountId] = sorted(lock);
  const text = head + stringify({ accounts: sorted(Object.entries(accounts)) }, { lineWidth: 0 });
  // A process that is ended while it writes leaves the file as it was.
  const file = join(dir, LOCK_FILE);
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
}

async function readAll(dir: string): Promise<LockFile> {
  const text = await readFile(join(dir, LOCK_FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return { accounts: {} };
  try {
    const value: unknown = parse(text, { maxAliasCount: 0 });
    if (isRecord(value) && isLock(value.accounts)) return { accounts: value.accounts };
  } catch {
    // It is reported below, like any other file that is no lock file.
  }
  throw new CommandError(`${LOCK_FILE} cannot be read: take it from your repository again, or delete it and pull`);
}

function isLock(accounts: unknown): accounts is LockFile['accounts'] {
  const isText = (value: unknown) => typeof value === 'string';
  return (
    isRecord(accounts) &&
    Object.values(accounts).every(
      (files) =>
        isRecord(files) &&
        Object.values(files).every(
          (file) =>
            isRecord(file) &&
            isText(file.id) &&
            isText(file.version) &&
            isRecord(file.parts) &&
            Object.values(file.parts).every(isText),
        ),
    )
  );
}
