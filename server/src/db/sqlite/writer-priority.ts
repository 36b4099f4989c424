import { setTimeout as pause } from 'node:timers/promises';

interface WaitLimits {
  /** How long the worker waits for the main thread at most, however much the main thread writes. */
  maxWorkerWaitMs: number;
  /** If the worker has died with the lock, the main thread tries the lock after this time. */
  maxMainWaitMs: number;
}

const waitLimits: WaitLimits = { maxWorkerWaitMs: 20, maxMainWaitMs: 5 };
/** How often the lock of another process is tried. */
const RETRY_MS = 1;
/** Positions in the shared memory. */
const MAIN_WANTS_LOCK = 0;
const WORKER_HAS_LOCK = 1;
const WORKER_WROTE = 2;

/**
 * Decides who writes first when the main thread and a worker thread write to one SQLite file: the main thread, because
 * requests wait for it. SQLite's own lock has no order and wakes no one. Both threads share the memory.
 */
export class WriterPriority {
  readonly shared: SharedArrayBuffer;
  readonly #state: Int32Array<SharedArrayBuffer>;
  readonly #isMain: boolean;
  readonly #limits: WaitLimits;

  /** @param sharedByMain the memory of the main thread; left out on the main thread itself */
  constructor(sharedByMain?: SharedArrayBuffer, limits = waitLimits) {
    this.#limits = limits;
    this.#isMain = sharedByMain === undefined;
    this.shared = sharedByMain ?? new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT);
    this.#state = new Int32Array(this.shared);
  }

  /** Call it before a write. It blocks the worker while the main thread writes: the worker has nothing else to do. */
  acquire(): void {
    if (this.#isMain) {
      Atomics.store(this.#state, MAIN_WANTS_LOCK, 1);
      return;
    }
    const { maxWorkerWaitMs } = this.#limits;
    const deadline = performance.now() + maxWorkerWaitMs;
    for (let left = maxWorkerWaitMs; left > 0; left = deadline - performance.now())
      if (Atomics.wait(this.#state, MAIN_WANTS_LOCK, 1, left) === 'not-equal') break;
    Atomics.store(this.#state, WORKER_HAS_LOCK, 1);
    Atomics.store(this.#state, WORKER_WROTE, 1);
  }

  /** Call it when there is nothing more to write. It wakes the other thread. */
  release(): void {
    const mine = this.#isMain ? MAIN_WANTS_LOCK : WORKER_HAS_LOCK;
    Atomics.store(this.#state, mine, 0);
    Atomics.notify(this.#state, mine);
  }

  /** Call it when SQLite's lock is taken. The main thread serves other requests until the worker releases it. */
  async waitForLock(): Promise<void> {
    if (!this.#isMain) return pause(RETRY_MS);
    const released = Atomics.waitAsync(this.#state, WORKER_HAS_LOCK, 1, this.#limits.maxMainWaitMs);
    await (released.async ? released.value : pause(RETRY_MS));
  }

  /** On the main thread: whether the worker has written since the last call. */
  workerWrote(): boolean {
    return this.#isMain && Atomics.exchange(this.#state, WORKER_WROTE, 0) === 1;
  }
}
