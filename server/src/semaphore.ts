/** Limits how many run at the same time. The others wait in the order in which they arrived. */
export class Semaphore {
  #available: number;
  readonly #waiting: (() => void)[] = [];

  constructor(maxRunning: number) {
    this.#available = maxRunning;
  }

  /** Resolves when there is a place, with a function that releases it. */
  async acquire(): Promise<() => void> {
    if (this.#available > 0) this.#available -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return () => {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#available += 1;
    };
  }

  /** Runs the work when there is a place. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const release = await this.acquire();
    try {
      return await work();
    } finally {
      release();
    }
  }
}
