import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Millis } from '@usher/domain';
import type { Group } from '../group.ts';
import { FairQueue } from './fair-queue.ts';
import { GroupQueue, type RequestQueue } from './group-queue.ts';
import { HeavyReads } from './heavy-reads.ts';

const MAX_WAITING_PER_ACCOUNT = 50;
const MAX_WAIT_MS: Millis = 60_000;
/** After this time without a request, no more requests are expected soon. */
const QUIET_AFTER_MS = 250;

/** Counts the requests that are not batches, in memory that is shared with the batch thread. */
export class RequestActivity {
  readonly shared: SharedArrayBuffer;
  readonly #count: Int32Array;
  #lastCount = 0;
  #lastRequestAt = Number.NEGATIVE_INFINITY;

  constructor(shared = new SharedArrayBuffer(4)) {
    this.shared = shared;
    this.#count = new Int32Array(shared);
  }

  recordRequest(): void {
    Atomics.add(this.#count, 0, 1);
  }

  /** Whether there were other requests a moment ago, so that more are likely. */
  get isBusy(): boolean {
    const count = Atomics.load(this.#count, 0);
    if (count !== this.#lastCount) this.#lastRequestAt = performance.now();
    this.#lastCount = count;
    return performance.now() - this.#lastRequestAt < QUIET_AFTER_MS;
  }

  /** Pauses a batch after a chunk that began at `since`: while there are other requests, for twice the time of the chunk. */
  readonly yieldToRequests = async (since: number): Promise<void> => {
    if (this.isBusy) await sleep(2 * (performance.now() - since));
    else await setImmediate();
  };
}

/** Limits large bodies of one kind: how many are accepted at a time, and how many of those are being processed. */
export interface LargeBodyQueues {
  accepted: RequestQueue;
  processing: RequestQueue;
}

function createLargeBodyQueues(what: string, accepted: number, processing: number, maxWait: Millis): LargeBodyQueues {
  return {
    accepted: new FairQueue({
      running: accepted,
      runningPerAccount: 3,
      waitingPerAccount: MAX_WAITING_PER_ACCOUNT,
      message: `${MAX_WAITING_PER_ACCOUNT} ${what} of this account wait already: try again when some of them are done`,
      maxWait,
    }),
    // Only accepted bodies wait here, so this queue is never full.
    processing: new FairQueue({ running: processing, runningPerAccount: 1, waitingPerAccount: accepted, message: '' }),
  };
}

function shareQueues(group: Group, name: 'batches' | 'uploads'): LargeBodyQueues {
  return {
    accepted: new GroupQueue(group, `${name}.accepted`),
    processing: new GroupQueue(group, `${name}.processing`),
  };
}

/**
 * Keeps large requests from slowing down the others. The body of a batch is received whole before it is stored, so that a
 * malformed one changes nothing, and uploaded files are on the disk: accepting a few at a time bounds memory and disk.
 * Each account stores one body after the other, and accounts are served round-robin. While there are other requests,
 * bodies are stored in small chunks, because those requests wait for each chunk.
 */
export class RequestQueues {
  readonly batches: LargeBodyQueues;
  readonly uploads: LargeBodyQueues;
  readonly heavyReads: HeavyReads;
  readonly requestActivity = new RequestActivity();
  /** How long a client may send nothing of a body that it has begun. */
  readonly bodyTimeout: Millis;

  constructor(
    now: () => Millis = Date.now,
    bodyTimeout: Millis = 10_000,
    requestTimeout: Millis = 120_000,
    group?: Group,
  ) {
    // A waiting body is not read. It must still arrive within the rest of the time for the whole request.
    const maxWait = Math.min(MAX_WAIT_MS, requestTimeout / 2);
    this.batches = group ? shareQueues(group, 'batches') : createLargeBodyQueues('batches', 8, 4, maxWait);
    this.uploads = group ? shareQueues(group, 'uploads') : createLargeBodyQueues('uploads', 6, 2, maxWait);
    this.heavyReads = new HeavyReads(now, group);
    this.bodyTimeout = bodyTimeout;
  }
}
