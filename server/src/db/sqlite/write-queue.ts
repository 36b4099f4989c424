import type { Database as Connection } from 'libsql';
import { Closed } from './sqlite-connection.ts';
import type { WriterPriority } from './writer-priority.ts';

/** For another thread or process that holds the lock. */
export const LOCK_WAIT_MS = 4000;
const MAX_WRITES_PER_COMMIT = 1000;
/** That a commit is put off for more to join it. */
const MAX_TICKS = 4;
/** How long the log is written before it is copied into the file. */
const LOG_MS = 100;

/** A work failed after it had written, and nothing but the transaction can undo that. */
class HalfDone extends Error {}

interface Work {
  /** Alone in its transaction, beside others, or beside others in a savepoint of its own. Throws when all is to be undone. */
  run(how: 'alone' | 'beside' | 'apart'): Promise<void>;
  committed(): void;
  lost(error: unknown): void;
}

/**
 * Collects writes while one commit is under way and takes them all into the next.
 *
 * What is committed lies in a log first. Left to itself, SQLite copies it into the file at the end of whichever commit
 * makes the log long, and every request waits 5 to 12 ms for that. So a thread copies it meanwhile, and the writer only
 * the rest that came since then: a log that is copied to its end begins anew.
 */
export class GroupCommit {
  readonly #connection: Connection;
  readonly #written: () => number;
  readonly #copyLog: () => Promise<unknown>;
  readonly #writerPriority: WriterPriority;
  #waiting: Work[] = [];
  #arrived = 0;
  #running: Promise<void> | undefined;
  #log: 'copied' | 'written' | 'nearly copied' = 'copied';

  constructor(
    connection: Connection,
    written: () => number,
    copyLog: () => Promise<unknown>,
    writerPriority: WriterPriority,
  ) {
    this.#connection = connection;
    this.#written = written;
    this.#copyLog = copyLog;
    this.#writerPriority = writerPriority;
  }

  /**
   * The work, and what undoes it when it fails: a savepoint, where it writes past what counts as written; the whole
   * transaction, and then all works of it are run again; or nothing, for a single statement, which changes nothing then.
   */
  run<T>(work: () => Promise<T>, undo: 'savepoint' | 'transaction' | 'nothing'): Promise<T> {
    if (!this.#connection.open) return Promise.reject(new Closed());
    this.#arrived++;
    return new Promise((resolve, reject) => {
      let settle: () => void;
      this.#waiting.push({
        run: async (how) => {
          const within = undo === 'savepoint' ? how !== 'alone' : undo === 'transaction' && how === 'apart';
          const before = this.#written();
          if (within) this.#connection.exec('savepoint work');
          try {
            const value = await work();
            if (within) this.#connection.exec('release work');
            settle = () => resolve(value);
          } catch (error) {
            // A full disk ends the whole transaction by itself: then there is no savepoint left to go back to.
            if (!this.#connection.inTransaction) throw error;
            if (how === 'alone') this.#connection.exec('rollback');
            else if (within) this.#connection.exec('rollback to work; release work');
            else if (undo === 'transaction' && this.#written() !== before) throw new HalfDone();
            settle = () => reject(error);
          }
        },
        committed: () => settle(),
        lost: reject,
      });
      this.#running ??= this.#drain();
    });
  }

  /** Something is done by a work that waits. */
  noteJoined(): void {
    this.#arrived++;
  }

  async finish(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #drain(): Promise<void> {
    this.#writerPriority.enter();
    await this.#gather();
    while (this.#waiting.length > 0) {
      this.#writerPriority.enter();
      await this.#commit(this.#waiting.splice(0, MAX_WRITES_PER_COMMIT));
      if (this.#waiting.length === 0) this.#writerPriority.leave();
      await this.#gather();
    }
    this.#running = undefined;
  }

  /**
   * One turn of the event loop: the requests that arrived together are read by then. While each turn brings more, another:
   * whoever waits for it waits no longer than for a commit in between, and a commit costs much the same for few and for many.
   */
  async #gather(): Promise<void> {
    for (let turn = 0, before = -1; turn < MAX_TICKS && this.#arrived > before; turn++) {
      before = this.#arrived;
      await new Promise(setImmediate);
    }
  }

  async #commit(works: Work[]): Promise<void> {
    try {
      if (this.#log === 'nearly copied') this.#endLog();
      await this.#begin();
      await this.#runAll(works);
      if (this.#connection.inTransaction) this.#connection.exec('commit');
    } catch (error) {
      for (const work of works) work.lost(error);
      this.#rollback();
      return;
    }
    for (const work of works) work.committed();
    if (this.#log === 'copied') this.#startLog();
  }

  /**
   * In a savepoint, SQLite keeps every page that is changed, which takes as long as the changes; and hardly any work
   * fails after it has written. So they are run without, and again with savepoints only when one did.
   */
  async #runAll(works: Work[]): Promise<void> {
    try {
      for (const work of works) await work.run(works.length === 1 ? 'alone' : 'beside');
    } catch (error) {
      if (!(error instanceof HalfDone)) throw error;
      await this.#begin();
      for (const work of works) await work.run('apart');
    }
  }

  #startLog(): void {
    this.#log = 'written';
    setTimeout(() => {
      // When the thread cannot, the writer copies all of it.
      const done = () => {
        this.#log = 'nearly copied';
      };
      if (this.#connection.open) this.#copyLog().then(done, done);
    }, LOG_MS).unref();
  }

  #endLog(): void {
    this.#log = 'copied';
    // Then much came since. It is for a thread to copy.
    if (this.#writerPriority.secondWrote()) return;
    this.#connection.prepare('pragma wal_checkpoint(passive)').get([]);
  }

  /** On a broken disk even this can fail. Then it is tried again before the next write, which is refused until it works. */
  #rollback(): void {
    try {
      if (this.#connection.inTransaction) this.#connection.exec('rollback');
    } catch {}
  }

  /** Another thread or process may hold the lock for a moment; waiting inside SQLite would stop every request. */
  async #begin(): Promise<void> {
    const until = Date.now() + LOCK_WAIT_MS;
    this.#rollback();
    for (;;) {
      try {
        this.#connection.exec('begin immediate');
        return;
      } catch (error) {
        if (!isBusy(error) || Date.now() > until) throw error;
        await this.#writerPriority.wait();
      }
    }
  }
}

function isBusy(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY');
}
