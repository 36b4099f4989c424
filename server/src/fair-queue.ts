import type { ServerResponse } from 'node:http';
import type { Millis } from '@usher/domain';
import { type ApiError, limited } from './errors.ts';

/** When it is worth trying again, for a request that has waited for too long. */
const TRY_AGAIN_AFTER_S = 10;

interface FairQueueLimits {
  running: number;
  runningPerAccount: number;
  waitingPerAccount: number;
  /** What a request is told that is one too many to wait. */
  message: string;
  /** For how long a request may wait; without it, for as long as its client stays. */
  longestWait?: Millis;
}

interface Waiting {
  begin(): void;
}

interface AccountQueue {
  running: number;
  /** First come, first served. */
  waiting: Set<Waiting>;
}

/**
 * Limits how many requests run at a time, in all and of one account. Accounts that wait are served in turns, however many
 * requests each of them has sent, so that none can keep the others waiting for longer than one request of each account.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  /** Of accounts with requests that run or wait. The account that was served last is at the end. */
  readonly #accounts = new Map<string, AccountQueue>();
  #running = 0;

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }

  /** How many accounts it holds something of. */
  get size(): number {
    return this.#accounts.size;
  }

  /** Runs the work in its turn. A client that leaves before that loses its place. */
  async run<T>(accountId: string, client: ServerResponse, work: () => Promise<T>): Promise<T> {
    await this.#take(accountId, client);
    try {
      return await work();
    } finally {
      this.#leave(accountId);
    }
  }

  async #take(accountId: string, client: ServerResponse): Promise<void> {
    const queue = this.#accounts.get(accountId) ?? { running: 0, waiting: new Set() };
    this.#accounts.set(accountId, queue);
    if (this.#running < this.#limits.running && queue.running < this.#limits.runningPerAccount)
      this.#begin(accountId, queue);
    else await this.#wait(accountId, queue, client);
  }

  #begin(accountId: string, queue: AccountQueue): void {
    this.#running += 1;
    queue.running += 1;
    this.#putLast(accountId, queue);
  }

  #putLast(accountId: string, queue: AccountQueue): void {
    this.#accounts.delete(accountId);
    this.#accounts.set(accountId, queue);
  }

  #wait(accountId: string, queue: AccountQueue, client: ServerResponse): Promise<void> {
    const { message, waitingPerAccount, longestWait } = this.#limits;
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const end = () => {
        queue.waiting.delete(waiting);
        client.off('close', leave);
        clearTimeout(timer);
      };
      const giveUp = (apiError: ApiError) => {
        end();
        this.#forgetIdle(accountId, queue);
        reject(apiError);
      };
      const leave = () => giveUp(limited(message, waitingPerAccount));
      const waiting: Waiting = {
        begin: () => {
          end();
          resolve();
        },
      };
      if (queue.waiting.size >= waitingPerAccount || client.closed || client.destroyed) return leave();
      queue.waiting.add(waiting);
      client.once('close', leave);
      if (longestWait !== undefined)
        timer = setTimeout(() => giveUp(waitedTooLong(waitingPerAccount, longestWait)), longestWait);
    });
  }

  #leave(accountId: string): void {
    const queue = this.#accounts.get(accountId) as AccountQueue;
    this.#running -= 1;
    queue.running -= 1;
    this.#putLast(accountId, queue);
    for (const [id, account] of this.#accounts) {
      const [next] = account.waiting;
      if (!next || account.running >= this.#limits.runningPerAccount) continue;
      this.#begin(id, account);
      next.begin();
      break;
    }
    this.#forgetIdle(accountId, queue);
  }

  #forgetIdle(accountId: string, { running, waiting }: AccountQueue): void {
    if (running === 0 && waiting.size === 0) this.#accounts.delete(accountId);
  }
}

function waitedTooLong(limit: number, waited: Millis): ApiError {
  const message = `This request has waited for its turn for ${waited / 1000} seconds: try again later`;
  return limited(message, limit, TRY_AGAIN_AFTER_S);
}
