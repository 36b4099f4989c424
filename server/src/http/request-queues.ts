import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Millis } from '@usher/domain';
import { FairQueue } from '../fair-queue.ts';
import { HeavyReads } from './heavy-reads.ts';

const WAITING_PER_ACCOUNT = 50;
const MAX_WAIT_MS: Millis = 60_000;
/** How long after a request there are likely to be more. */
const CALM_AFTER_MS = 250;

/** Requests that are no batch, counted in memory that the thread of the batches sees too. */
export class RequestActivity {
  readonly shared: SharedArrayBuffer;
  readonly #count: Int32Array;
  #seen = 0;
  #lastSeen = Number.NEGATIVE_INFINITY;

  constructor(shared = new SharedArrayBuffer(4)) {
    this.shared = shared;
    this.#count = new Int32Array(shared);
  }

  note(): void {
    Atomics.add(this.#count, 0, 1);
  }

  get wait(): boolean {
    const count = Atomics.load(this.#count, 0);
    if (count !== this.#seen) this.#lastSeen = performance.now();
    this.#seen = count;
    return performance.now() - this.#lastSeen < CALM_AFTER_MS;
  }

  /** After a part of a batch that began then: a turn for others, and while there are some, twice the time it took. */
  readonly yieldToRequests = async (since: number): Promise<void> => {
    if (this.wait) await sleep(2 * (performance.now() - since));
    else await setImmediate();
  };
}

/** Large bodies of one kind: how many are held at a time, and how many of them are being stored. */
export interface LargeBodyQueues {
  held: FairQueue;
  stored: FairQueue;
}

function queuesOf(what: string, held: number, stored: number, longestWait: Millis): LargeBodyQueues {
  return {
    held: new FairQueue({
      running: held,
      runningPerAccount: 3,
      waitingPerAccount: WAITING_PER_ACCOUNT,
      message: `${WAITING_PER_ACCOUNT} ${what} of this account wait already: try again when some of them are done`,
      longestWait,
    }),
    // No more than are held can wait here.
    stored: new FairQueue({ running: stored, runningPerAccount: 1, waitingPerAccount: held, message: '' }),
  };
}

/**
 * Keeps large requests from being in the way. The bodies of batches are held whole until they are stored, so that a broken
 * one changes nothing, and uploaded files are on the disk: a few at a time keep both flat. Each account stores one after
 * the other, and accounts take turns. They are stored in small parts as long as there are other requests, which would
 * wait for each part.
 */
export class RequestQueues {
  readonly batches: LargeBodyQueues;
  readonly uploads: LargeBodyQueues;
  readonly heavyReads: HeavyReads;
  readonly requestActivity = new RequestActivity();
  /** For how long a client may send nothing of its body. */
  readonly patience: Millis;

  constructor(now: () => Millis = Date.now, patience: Millis = 10_000, requestTimeout: Millis = 120_000) {
    // A body is not read while it waits, and has to arrive in what is left of the time for the whole request.
    const longestWait = Math.min(MAX_WAIT_MS, requestTimeout / 2);
    this.batches = queuesOf('batches', 8, 4, longestWait);
    this.uploads = queuesOf('uploads', 6, 2, longestWait);
    this.heavyReads = new HeavyReads(now);
    this.patience = patience;
  }
}
