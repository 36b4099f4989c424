/** Lets a few in at a time, in the order they came. */
export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number) {
    this.#free = most;
  }

  /** Resolves when it is this one's turn, with what ends it. */
  async take(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return () => {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    };
  }

  /** The work, when it is its turn. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const done = await this.take();
    try {
      return await work();
    } finally {
      done();
    }
  }
}
