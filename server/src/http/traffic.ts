import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Millis } from '@usher/domain';
import { tooLarge } from '../errors.ts';
import { Turns } from '../turns.ts';
import type { Asked } from './asked.ts';
import { HeavyReads } from './heavy-reads.ts';
import type { Admit } from './limits.ts';
import { queryOf } from './query-string.ts';

/** Of a body that is not yet known to be anyone's. */
const LARGEST_UNKNOWN_BODY = 1024 * 1024;
const BODIES_AT_ONCE = 4;
/** How long after a request there are likely to be more. */
const CALM_AFTER_MS = 250;

/** Requests that are no batch, counted in memory that the thread of the batches sees too. */
export class Others {
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
  readonly giveWay = async (since: number): Promise<void> => {
    if (this.wait) await sleep(2 * (performance.now() - since));
    else await setImmediate();
  };
}

/**
 * Keeps batches from being in the way. Their bodies are held whole until they are stored, so that a broken one changes
 * nothing: a few at a time keep the memory flat. They are stored one after the other, and in small parts as long as
 * there are other requests, who would wait for each part.
 */
export class Traffic {
  readonly #bodies = new Turns(BODIES_AT_ONCE);
  readonly #storing = new Turns(1);
  readonly heavyReads: HeavyReads;
  readonly others = new Others();

  constructor(now: () => Millis = Date.now) {
    this.heavyReads = new HeavyReads(now);
  }

  /** Before a large body is taken in: whose it is, and whether there is room for it. */
  async admitLarge(asked: Asked, admit: Admit): Promise<void> {
    const { headers, params, response } = asked;
    const secret = headers['x-account-secret'] || params.account_secret || queryOf(asked.url).account_secret;
    if (secret) await admit(secret, asked);
    else if (asked.hasBody && !(Number(headers['content-length'] ?? Number.NaN) <= LARGEST_UNKNOWN_BODY))
      throw tooLarge('The body is larger than 1 MB: give the account secret in the header `X-Account-Secret` then');
    const done = await this.#bodies.take();
    // Whoever left while waiting needs no turn.
    if (response.closed || response.destroyed) done();
    else response.once('close', done);
  }

  /** One batch at a time. */
  async inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = await this.#storing.take();
    try {
      return await work();
    } finally {
      done();
    }
  }
}
