/** Limits how many run at the same time. The others wait in the order in which they arrived, those with precedence first. */
export class Semaphore {
  #available: number;
  readonly #first: (() => void)[] = [];
  readonly #waiting: (() => void)[] = [];

  constructor(maxRunning: number) {
    this.#available = maxRunning;
  }

  /** Resolves when there is a place, with a function that releases it. */
  async acquire({ first = false } = {}): Promise<() => void> {
    if (this.#available > 0) this.#available -= 1;
    else await new Promise<void>((resolve) => (first ? this.#first : this.#waiting).push(resolve));
    return () => {
      const next = this.#first.shift() ?? this.#waiting.shift();
      if (next) next();
      else this.#available += 1;
    };
  }

  /** Runs the work when there is a place. */
  async run<T>(work: () => Promise<T>, options: { first?: boolean } = {}): Promise<T> {
    const release = await this.acquire(options);
    try {
      return await work();
    } finally {
      release();
    }
  }
}
