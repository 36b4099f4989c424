import { setTimeout as pause } from 'node:timers/promises';

/** Then the turn of the second has come, however much the first has to write. */
const MAX_STAND_MS = 20;
/** Of a lock that someone else holds. */
const TRIED_EVERY_MS = 1;
/** Should the second have died with the lock, it is tried all the same. */
const MAX_HOLD_MS = 5;
const FIRST_WANTS = 0;
const SECOND_HOLDS = 1;
const SECOND_WROTE = 2;

/**
 * Who goes first where two threads write to one SQLite file. The lock of SQLite knows neither an order nor who waits for
 * it. In memory that both share.
 */
export class WriterPriority {
  readonly shared: SharedArrayBuffer;
  readonly #state: Int32Array<SharedArrayBuffer>;
  readonly #isFirst: boolean;

  /** With the memory of the first, it is the second. */
  constructor(ofFirst?: SharedArrayBuffer) {
    this.#isFirst = ofFirst === undefined;
    this.shared = ofFirst ?? new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT);
    this.#state = new Int32Array(this.shared);
  }

  /** Before something is written. The second stands still while the first writes: there is nothing else for it to do. */
  enter(): void {
    if (this.#isFirst) {
      Atomics.store(this.#state, FIRST_WANTS, 1);
      return;
    }
    const until = performance.now() + MAX_STAND_MS;
    for (let left = MAX_STAND_MS; left > 0; left = until - performance.now())
      if (Atomics.wait(this.#state, FIRST_WANTS, 1, left) === 'not-equal') break;
    Atomics.store(this.#state, SECOND_HOLDS, 1);
    Atomics.store(this.#state, SECOND_WROTE, 1);
  }

  /** When there is nothing more to write. */
  leave(): void {
    const mine = this.#isFirst ? FIRST_WANTS : SECOND_HOLDS;
    Atomics.store(this.#state, mine, 0);
    Atomics.notify(this.#state, mine);
  }

  /** After the lock was found taken. The first goes on with everything else until the second lets go of it. */
  async wait(): Promise<void> {
    const letGo = this.#isFirst ? Atomics.waitAsync(this.#state, SECOND_HOLDS, 1, MAX_HOLD_MS) : undefined;
    await (letGo?.async ? letGo.value : pause(TRIED_EVERY_MS));
  }

  /** Whether the second has written since this was last asked. */
  secondWrote(): boolean {
    return this.#isFirst && Atomics.exchange(this.#state, SECOND_WROTE, 0) === 1;
  }
}
