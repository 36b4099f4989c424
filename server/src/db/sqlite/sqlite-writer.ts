import { codeOf } from '../../error-code.ts';
import { LOCK_WAIT_MS, type SqliteConnection } from './sqlite-connection.ts';
import type { WalCheckpoint } from './wal-checkpoint.ts';
import type { WriteConnection } from './write-queue.ts';
import type { WriterPriority } from './writer-priority.ts';
import type { WrittenPages } from './written-pages.ts';

/** The transactions of the connection that writes: takes SQLite's lock in turn with other threads and processes. */
export class SqliteWriter implements WriteConnection {
  readonly #connection: SqliteConnection;
  readonly #priority: WriterPriority;
  readonly #checkpoint: WalCheckpoint;
  readonly #written: WrittenPages;

  constructor(
    connection: SqliteConnection,
    priority: WriterPriority,
    checkpoint: WalCheckpoint,
    written: WrittenPages,
  ) {
    this.#connection = connection;
    this.#priority = priority;
    this.#checkpoint = checkpoint;
    this.#written = written;
  }

  get isOpen(): boolean {
    return this.#connection.isOpen;
  }

  get inTransaction(): boolean {
    return this.#connection.inTransaction;
  }

  get changeCount(): number {
    return this.#connection.changeCount;
  }

  acquire(): void {
    this.#priority.acquire();
  }

  release(): void {
    this.#priority.release();
  }

  /** Waits asynchronously for the lock. Waiting inside SQLite would block every request. */
  async begin(): Promise<void> {
    this.rollback();
    this.#checkpoint.beforeTransaction();
    const deadline = Date.now() + LOCK_WAIT_MS;
    for (;;) {
      try {
        this.#connection.exec('begin immediate');
        break;
      } catch (error) {
        if (!isBusy(error) || Date.now() > deadline) throw error;
        await this.#priority.waitForLock();
      }
    }
    this.#written.atBegin(this.#connection);
  }

  commit(): void {
    this.#written.commit(this.#connection, () => this.#connection.exec('commit'));
    this.#checkpoint.afterCommit();
  }

  /** On a broken disk even a rollback can fail. `begin` tries it again, and writes are rejected until it succeeds. */
  rollback(): void {
    try {
      if (this.#connection.inTransaction) this.#connection.exec('rollback');
    } catch {}
  }

  exec(sql: string): void {
    this.#connection.exec(sql);
  }
}

function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY');
}
