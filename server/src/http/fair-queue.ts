import type { Millis } from '@usher/domain';
import { type ApiError, type LimitKind, limited } from '../errors.ts';
import type { Disconnectable } from '../group.ts';

/** How long a client should wait before it retries a request that has waited for too long. */
const RETRY_AFTER_S = 10;

interface FairQueueLimits {
  running: number;
  runningPerAccount: number;
  waitingPerAccount: number;
  /** The kind of limit that errors name; batches by default. */
  kind?: LimitKind;
  /** The error message for a request that arrives when the queue of its account is full. */
  message: string;
  /** How long a request may wait. Without it, a request waits until its client disconnects. */
  maxWait?: Millis;
}

interface Waiting {
  start(): void;
}

interface AccountQueue {
  running: number;
  /** The requests that wait: first come, first served. */
  waiting: Set<Waiting>;
}

/**
 * Limits how many requests run at a time, in total and per account. Accounts are served round-robin, however many
 * requests each of them has sent, so an account waits at most for one request of every other account.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  /** Accounts with running or waiting requests. The account that was served last is at the end. */
  readonly #accounts = new Map<string, AccountQueue>();
  #running = 0;

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }

  /** The number of accounts with running or waiting requests. */
  get size(): number {
    return this.#accounts.size;
  }

  /** How many requests run and how many wait, of all accounts. */
  get count(): { running: number; waiting: number } {
    const waiting = [...this.#accounts.values()].reduce((sum, account) => sum + account.waiting.size, 0);
    return { running: this.#running, waiting };
  }

  /** Runs the work as soon as the limits allow it. A request whose client disconnects leaves the queue. */
  async run<T>(accountId: string, request: Disconnectable, work: () => Promise<T>): Promise<T> {
    await this.#enter(accountId, request);
    try {
      return await work();
    } finally {
      this.#leave(accountId);
    }
  }

  async #enter(accountId: string, request: Disconnectable): Promise<void> {
    const queue = this.#accounts.get(accountId) ?? { running: 0, waiting: new Set() };
    this.#accounts.set(accountId, queue);
    if (this.#running < this.#limits.running && queue.running < this.#limits.runningPerAccount)
      this.#start(accountId, queue);
    else await this.#wait(accountId, queue, request.signal);
  }

  #start(accountId: string, queue: AccountQueue): void {
    this.#running += 1;
    queue.running += 1;
    this.#moveToEnd(accountId, queue);
  }

  #moveToEnd(accountId: string, queue: AccountQueue): void {
    this.#accounts.delete(accountId);
    this.#accounts.set(accountId, queue);
  }

  #wait(accountId: string, queue: AccountQueue, signal: AbortSignal): Promise<void> {
    const { message, waitingPerAccount, maxWait, kind = 'batches' } = this.#limits;
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const stopWaiting = () => {
        queue.waiting.delete(waiting);
        signal.removeEventListener('abort', rejectAsFull);
        clearTimeout(timer);
      };
      const rejectWith = (error: ApiError) => {
        stopWaiting();
        this.#deleteIfIdle(accountId, queue);
        reject(error);
      };
      const rejectAsFull = () => rejectWith(limited(kind, message, waitingPerAccount));
      const waiting: Waiting = {
        start: () => {
          stopWaiting();
          resolve();
        },
      };
      if (queue.waiting.size >= waitingPerAccount || signal.aborted) return rejectAsFull();
      queue.waiting.add(waiting);
      signal.addEventListener('abort', rejectAsFull, { once: true });
      if (maxWait !== undefined)
        timer = setTimeout(() => rejectWith(waitedTooLong(kind, waitingPerAccount, maxWait)), maxWait);
    });
  }

  #leave(accountId: string): void {
    const queue = this.#accounts.get(accountId) as AccountQueue;
    this.#running -= 1;
    queue.running -= 1;
    this.#moveToEnd(accountId, queue);
    for (const [id, account] of this.#accounts) {
      const [next] = account.waiting;
      if (!next || account.running >= this.#limits.runningPerAccount) continue;
      this.#start(id, account);
      next.start();
      break;
    }
    this.#deleteIfIdle(accountId, queue);
  }

  #deleteIfIdle(accountId: string, { running, waiting }: AccountQueue): void {
    if (running === 0 && waiting.size === 0) this.#accounts.delete(accountId);
  }
}

function waitedTooLong(kind: LimitKind, limit: number, waited: Millis): ApiError {
  const message = `This request has waited for its turn for ${waited / 1000} seconds: try again later`;
  return limited(kind, message, limit, RETRY_AFTER_S);
}
