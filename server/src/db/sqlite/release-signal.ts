import { setTimeout as pause } from 'node:timers/promises';

/** How long to wait for a thread. One that has died keeps no file open. */
const MAX_WAIT_MS = 2000;
/** Positions in the shared memory. */
const IS_WANTED = 0;
const OPEN = 1;
const RELEASED = 2;

/** By this the main thread asks the thread for batches to close the database file for a moment. Both share the memory. */
export class ReleaseSignal {
  readonly shared: SharedArrayBuffer;
  readonly #state: Int32Array<SharedArrayBuffer>;
  #isListening = false;

  /** @param sharedByMain the memory of the main thread; left out on the main thread itself */
  constructor(sharedByMain?: SharedArrayBuffer) {
    this.shared = sharedByMain ?? new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT);
    this.#state = new Int32Array(this.shared);
  }

  /** On the main thread: runs work while the other thread has closed the file. */
  async whileReleased<T>(work: () => Promise<T>): Promise<T> {
    this.#set(true);
    try {
      const deadline = Date.now() + MAX_WAIT_MS;
      while (Atomics.load(this.#state, RELEASED) < Atomics.load(this.#state, OPEN) && Date.now() < deadline)
        await pause(1);
      return await work();
    } finally {
      this.#set(false);
    }
  }

  /** On the other thread: `release` runs a function while the file is closed. */
  async listen(release: (until: () => Promise<void>) => Promise<void>): Promise<void> {
    this.#isListening = true;
    Atomics.add(this.#state, OPEN, 1);
    for (;;) {
      await this.#changeOf(false);
      if (!this.#isListening) return;
      await release(async () => {
        Atomics.add(this.#state, RELEASED, 1);
        await this.#changeOf(true);
        Atomics.sub(this.#state, RELEASED, 1);
      });
    }
  }

  stopListening(): void {
    if (this.#isListening) Atomics.sub(this.#state, OPEN, 1);
    this.#isListening = false;
  }

  #set(isWanted: boolean): void {
    Atomics.store(this.#state, IS_WANTED, Number(isWanted));
    Atomics.notify(this.#state, IS_WANTED);
  }

  async #changeOf(isWanted: boolean): Promise<void> {
    const changed = Atomics.waitAsync(this.#state, IS_WANTED, Number(isWanted));
    if (changed.async) await changed.value;
  }
}
