import type { Disconnectable } from '../group.ts';
import { FairQueue } from './fair-queue.ts';

declare module '../context.ts' {
  interface AppContext {
    readonly downloads: Downloads;
  }
}

const MAX_PER_ACCOUNT = 4;
const MAX_WAITING = 20;

/**
 * Limits how many downloads are sent at a time. Each keeps some rows in memory until its client has read them, and a client can
 * read as slowly as it likes: 150 slow downloads took 2 GB.
 */
export class Downloads {
  readonly #queue = new FairQueue({
    running: 20,
    runningPerAccount: MAX_PER_ACCOUNT,
    waitingPerAccount: MAX_WAITING,
    kind: 'heavy_reads',
    message: `${MAX_PER_ACCOUNT} downloads of an account may run at a time, and ${MAX_WAITING} wait already: try again when some are done`,
    maxWait: 10_000,
  });

  /** How many downloads are being sent, and how many wait. */
  get count(): { running: number; waiting: number } {
    return this.#queue.count;
  }

  /** Waits for a place. Call the function that it returns when the download has ended. */
  enter(accountId: string, request: Disconnectable): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const untilLeft = () => new Promise<void>((leave) => resolve(leave));
      this.#queue.run(accountId, request, untilLeft).catch(reject);
    });
  }
}
