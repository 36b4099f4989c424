import { StorageClosed } from './sqlite-connection.ts';

const MAX_WRITES_PER_TRANSACTION = 1000;
/** For how many ticks of the event loop a transaction is delayed so that more writes can join it. */
const MAX_TICKS = 4;

/** The connection that writes, as the queue uses it. */
export interface WriteConnection {
  readonly isOpen: boolean;
  /** False after an error that has rolled back the whole transaction, such as a full disk. */
  readonly inTransaction: boolean;
  /** Counts the statements that may have changed something. */
  readonly changeCount: number;
  /** Called before the first of several transactions in a row, and again before each of them. */
  acquire(): void;
  /** Called when nothing waits any more. */
  release(): void;
  begin(): Promise<void>;
  commit(): void;
  /** Never throws. Does nothing outside of a transaction. */
  rollback(): void;
  exec(sql: string): void;
}

/** A write with its result, which is known before the commit and reported after it. */
class QueuedWrite {
  readonly run: () => Promise<void>;
  readonly reject: (error: unknown) => void;
  #report: () => void = () => {};

  /** @param work returns how to report its result */
  constructor(work: () => Promise<() => void>, reject: (error: unknown) => void) {
    this.run = async () => {
      this.#report = await work();
    };
    this.reject = reject;
  }

  /** The write may have read data of its own group, so its error is not reported before the commit. */
  rejectAfterCommit(error: unknown): void {
    this.#report = () => this.reject(error);
  }

  report(): void {
    this.#report();
  }
}

/**
 * Group commit: collects writes while a transaction runs and puts all of them into the next one. All writes of a
 * transaction are reported after its commit.
 */
export class WriteQueue {
  readonly #connection: WriteConnection;
  #waiting: QueuedWrite[] = [];
  readonly #waitingAlone: (() => Promise<void>)[] = [];
  #arrivals = 0;
  #draining: Promise<void> | undefined;
  /** Since when the writes that wait now have been waiting. */
  #waitingSince = 0;
  #transactions = 0;
  #transactionMs = 0;

  constructor(connection: WriteConnection) {
    this.#connection = connection;
  }

  /** Runs the work in a transaction and resolves after its commit. The work may run more than once. */
  add<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#connection.isOpen) return Promise.reject(new StorageClosed());
    this.#arrivals++;
    if (this.#waiting.length === 0) this.#waitingSince = performance.now();
    return new Promise((resolve, reject) => {
      const run = async () => {
        const value = await work();
        return () => resolve(value);
      };
      this.#waiting.push(new QueuedWrite(run, reject));
      this.#draining ??= this.#drain();
    });
  }

  /** Runs work between two transactions. All writes wait for it. */
  runAlone<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waitingAlone.push(() => work().then(resolve, reject));
      this.#draining ??= this.#drain();
    });
  }

  /** Counts a request whose data has joined a write that is in the queue already. */
  noteArrival(): void {
    this.#arrivals++;
  }

  /** How many writes wait and for how long, and how many transactions took how long. */
  get load(): { waiting: number; waitedMs: number; transactions: number; transactionMs: number } {
    const waiting = this.#waiting.length;
    const waitedMs = waiting === 0 ? 0 : performance.now() - this.#waitingSince;
    return { waiting, waitedMs, transactions: this.#transactions, transactionMs: this.#transactionMs };
  }

  async finish(): Promise<void> {
    while (this.#draining) await this.#draining;
  }

  async #drain(): Promise<void> {
    this.#connection.acquire();
    await this.#waitForMore();
    while (this.#waiting.length > 0 || this.#waitingAlone.length > 0) {
      await this.#waitingAlone.shift()?.();
      this.#connection.acquire();
      if (this.#waiting.length > 0) await this.#commit(this.#waiting.splice(0, MAX_WRITES_PER_TRANSACTION));
      if (this.#waiting.length === 0) this.#connection.release();
      await this.#waitForMore();
    }
    this.#draining = undefined;
  }

  /**
   * Waits one tick of the event loop, in which the requests that arrived together are read. While each tick brings more,
   * it waits for another one. That takes no longer than one more commit, and a commit costs about the same for few writes
   * and for many.
   */
  async #waitForMore(): Promise<void> {
    for (let tick = 0, before = -1; tick < MAX_TICKS && this.#arrivals > before; tick++) {
      before = this.#arrivals;
      await new Promise(setImmediate);
    }
  }

  async #commit(writes: QueuedWrite[]): Promise<void> {
    const startedAt = performance.now();
    this.#waitingSince = startedAt;
    try {
      await this.#connection.begin();
      await this.#runAll(writes);
      this.#connection.commit();
    } catch (error) {
      this.#connection.rollback();
      for (const write of writes) write.reject(error);
      return;
    } finally {
      this.#transactions += 1;
      this.#transactionMs += performance.now() - startedAt;
    }
    for (const write of writes) write.report();
  }

  /**
   * In a savepoint SQLite keeps a copy of every page that changes, which takes as long as the changes. Hardly any write
   * fails after it has changed something. So the writes first run without savepoints.
   */
  async #runAll(writes: QueuedWrite[]): Promise<void> {
    const [first] = writes;
    // If the only write of a transaction fails, the rollback of the transaction undoes it.
    if (first && writes.length === 1) return first.run();
    for (const write of writes) if (!(await this.#runWithoutSavepoint(write))) return this.#runAgain(writes);
  }

  /** Returns false if the write failed after it may have changed something. */
  async #runWithoutSavepoint(write: QueuedWrite): Promise<boolean> {
    const before = this.#connection.changeCount;
    try {
      await write.run();
      return true;
    } catch (error) {
      if (!this.#connection.inTransaction) throw error;
      write.rejectAfterCommit(error);
      return this.#connection.changeCount === before;
    }
  }

  async #runAgain(writes: QueuedWrite[]): Promise<void> {
    this.#connection.rollback();
    await this.#connection.begin();
    for (const write of writes) await this.#runInSavepoint(write);
  }

  async #runInSavepoint(write: QueuedWrite): Promise<void> {
    this.#connection.exec('savepoint one_write');
    try {
      await write.run();
      this.#connection.exec('release one_write');
    } catch (error) {
      if (!this.#connection.inTransaction) throw error;
      this.#connection.exec('rollback to one_write; release one_write');
      write.rejectAfterCommit(error);
    }
  }
}
