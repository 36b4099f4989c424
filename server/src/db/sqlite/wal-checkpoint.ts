import { open } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { codeOf } from '../../error-code.ts';
import { openConnection, readRows, type SqliteConnection } from './sqlite-connection.ts';
import type { WrittenPages } from './written-pages.ts';

/** How long commits go to the log before the log is copied into the file. */
const COPY_AFTER_MS = 100;
/** A heavy read can keep the log in use for some seconds. */
const MAX_TRUNCATE_WAIT_MS = 60_000;
/** Each attempt waits for the heavy reads that run, and new ones wait for it. */
const MAX_PAUSE_MS = 1000;

/**
 * Decides when the write-ahead log is copied into the database file. By default SQLite copies it at the end of the commit
 * that makes the log long, and every request waits 5 to 12 ms for that. Here a thread copies most of it between commits,
 * and the writer copies only the rest. SQLite starts the log from its beginning once all of it is copied.
 */
export class WalCheckpoint {
  readonly #connection: SqliteConnection;
  readonly #copyInThread: () => Promise<void>;
  readonly #hasOtherWriter: () => boolean;
  #state: 'idle' | 'copying' | 'nearly copied' = 'idle';

  /**
   * @param copyInThread copies the log while this thread goes on
   * @param hasOtherWriter whether another thread has written since the last call
   */
  constructor(connection: SqliteConnection, copyInThread: () => Promise<void>, hasOtherWriter: () => boolean) {
    this.#connection = connection;
    this.#copyInThread = copyInThread;
    this.#hasOtherWriter = hasOtherWriter;
  }

  afterCommit(): void {
    if (this.#state !== 'idle') return;
    this.#state = 'copying';
    setTimeout(() => {
      // If the thread fails, the writer copies the whole log.
      const done = () => {
        this.#state = 'nearly copied';
      };
      if (this.#connection.isOpen) this.#copyInThread().then(done, done);
    }, COPY_AFTER_MS).unref();
  }

  beforeTransaction(): void {
    if (this.#state !== 'nearly copied') return;
    this.#state = 'idle';
    // Another thread has written a lot since: copying it here would block every request.
    if (this.#hasOtherWriter()) return;
    this.#connection.query('pragma wal_checkpoint(passive)', []);
  }
}

/** Waits until the log is on the disk. SQLite syncs it before it copies it, so a log that is gone needs no sync. */
export async function syncLog(file: string): Promise<void> {
  // SQLite has no locks on its log, so opening and closing it releases none.
  const log = await open(`${file}-wal`, 'r+').catch((error) => {
    if (codeOf(error) !== 'ENOENT') throw error;
  });
  try {
    await log?.datasync();
  } finally {
    await log?.close();
  }
}

/**
 * Copies the whole log and empties its file, as soon as no one reads from it: the log still has what was overwritten in
 * the database file. If the log stays in use, the request gets 503. The rows are deleted then, and the next deletion
 * empties the log.
 * @param alone runs an attempt while no heavy read runs. Between attempts they go on: a backup can use the log for long.
 */
export async function truncateLog(
  file: string,
  written: WrittenPages,
  alone: (attempt: () => Promise<boolean>) => Promise<boolean>,
): Promise<void> {
  const connection = openConnection(file, '');
  const attempt = async () => {
    const [copied] = written.emptyLog(() => readRows<{ busy: number }>(connection, 'pragma wal_checkpoint(truncate)'));
    return copied?.busy === 0 && written.noteEmptied(connection);
  };
  try {
    let waitMs = 5;
    for (const deadline = Date.now() + MAX_TRUNCATE_WAIT_MS; !(await alone(attempt)); await pause(waitMs)) {
      if (Date.now() > deadline) throw Object.assign(new Error('The log stays in use'), { code: 'SQLITE_BUSY' });
      waitMs = Math.min(2 * waitMs, MAX_PAUSE_MS);
    }
  } finally {
    connection.close();
  }
}
