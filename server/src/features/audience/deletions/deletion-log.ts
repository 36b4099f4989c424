import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { firstIdAt, isId, type Millis } from '@usher/domain';
import type { Storage } from '../../../db/storage.ts';

declare module '../../../context.ts' {
  interface AppContext {
    /** Records, outside of the database, which profiles were forgotten. */
    readonly deletionLog: DeletionLog;
  }
}

/** One forgotten profile. It says nothing about the person, and is of use only together with the profile. */
export interface DeletionEntry {
  account_id: string;
  deletion_id: string;
  profile_hash: string;
}

/** Entries are kept for this long. No backup should be kept for longer, or it could bring forgotten profiles back. */
const KEPT_MS: Millis = 400 * 24 * 60 * 60_000;

/** A profile ID is random enough that a plain hash cannot be reversed. */
export function hashProfileId(accountId: string, profileId: string): string {
  return createHash('sha256').update(`${accountId} ${profileId}`).digest('hex');
}

/**
 * A copy of the Deletions of profiles in a file, outside of the database: after the restore of an older backup, these
 * profiles are forgotten again. Every entry comes from the table, so whatever a crash has prevented is added later. On
 * PostgreSQL each node has a file of its own, with the Deletions of all nodes.
 */
export class DeletionLog {
  readonly #file: string | undefined;
  readonly #storage: Storage;
  readonly #now: () => Millis;
  /** The last Deletion of each account that is in the file. The IDs of an account are committed in their order. */
  readonly #lastIds = new Map<string, string>();
  #known: Set<string> | undefined;
  #queue: Promise<void> = Promise.resolve();
  /** Called after entries were added. It must not fail. */
  afterAppend: () => Promise<void> = async () => {};
  onError: (error: unknown) => void = () => {};

  /** @param file undefined if nothing is to be written, as for commands that forget no one */
  constructor(file: string | undefined, storage: Storage, now: () => Millis) {
    this.#file = file;
    this.#storage = storage;
    this.#now = now;
  }

  /**
   * Adds what is new of an account, and resolves when it is on the disk. It never fails: the profile is forgotten, and what
   * could not be written is added the next time.
   */
  addOf(accountId: string): Promise<void> {
    this.#queue = this.#queue.then(() => this.#addOf(accountId)).catch((error) => this.onError(error));
    return this.#queue;
  }

  async addAll(): Promise<void> {
    if (this.#file === undefined) return;
    try {
      const accounts = await this.#storage.reader(null).selectFrom('accounts').select('id').execute();
      for (const { id } of accounts) await this.addOf(id);
    } catch (error) {
      this.onError(error);
    }
  }

  async #addOf(accountId: string): Promise<void> {
    if (this.#file === undefined) return;
    const rows = await this.#storage
      .reader(accountId)
      .selectFrom('deletions')
      .select(['account_id', 'id as deletion_id', 'profile_hash'])
      .where('account_id', '=', accountId)
      .where('id', '>', this.#lastIds.get(accountId) ?? firstIdAt(this.#now() - KEPT_MS))
      .where('profile_hash', 'is not', null)
      .orderBy('id')
      .execute();
    const last = rows.at(-1);
    if (!last) return;
    this.#known ??= new Set((await readDeletionLog(this.#file)).map(({ deletion_id }) => deletion_id));
    const known = this.#known;
    const added = rows.filter(({ deletion_id }) => !known.has(deletion_id));
    await appendEntries(this.#file, added as DeletionEntry[]);
    this.#lastIds.set(accountId, last.deletion_id);
    if (added.length > 0) await this.afterAppend();
  }
}

/** Reads a file of entries. A line that was cut off by a crash is left out; its entry was added again later. */
export async function readDeletionLog(file: string): Promise<DeletionEntry[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return parseDeletionLog(text);
}

export function parseDeletionLog(text: string): DeletionEntry[] {
  return text.split('\n').flatMap((line) => {
    const { account_id = '', deletion_id = '', profile_hash = '' } = parseLine(line);
    // The file may come from elsewhere, so the types are checked too.
    const isText = [account_id, deletion_id, profile_hash].every((value) => typeof value === 'string');
    const isEntry = isText && isId(account_id) && isId(deletion_id) && /^[\da-f]{64}$/.test(profile_hash);
    return isEntry ? [{ account_id, deletion_id, profile_hash }] : [];
  });
}

function parseLine(line: string): Partial<DeletionEntry> {
  try {
    return JSON.parse(line) ?? {};
  } catch {
    return {};
  }
}

/** Appends with one write, so that the lines of several processes are not mixed. */
async function appendEntries(file: string, entries: readonly DeletionEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  let handle: FileHandle | undefined;
  try {
    // On PostgreSQL there may be no data folder yet.
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    handle = await open(file, 'a', 0o600);
    // The line before may have been cut off.
    const { size } = await handle.stat();
    await handle.write(`${size > 0 ? '\n' : ''}${lines}`);
    await handle.datasync();
  } finally {
    await handle?.close();
  }
}

/** Appends the entries that the file does not have. */
export async function appendMissing(file: string, entries: readonly DeletionEntry[]): Promise<void> {
  const known = new Set((await readDeletionLog(file)).map(({ deletion_id }) => deletion_id));
  const missing = new Map(entries.map((entry) => [entry.deletion_id, entry]));
  await appendEntries(
    file,
    [...missing.values()].filter(({ deletion_id }) => !known.has(deletion_id)),
  );
}
