/**
 * Requests that are read in one turn of the event loop had all been sent before it began: what one of them is told of a
 * secret is true for the others too. Of thirty that come together, so, one asks the database.
 */
export class PerTickDedup {
  #asked = new Map<string, Promise<unknown>>();
  #open = false;

  /** Where a request arrives, and nowhere else: only there does the turn end before others can arrive. */
  begin(): void {
    if (this.#open) return;
    this.#open = true;
    setImmediate(() => {
      this.#open = false;
      // Not cleared: V8 links the old table of a map to the new one, and so keeps what is long gone.
      if (this.#asked.size > 0) this.#asked = new Map();
    });
  }

  /** Answers as it did before in this turn. */
  once<T>(key: string, ask: () => Promise<T>): Promise<T> {
    if (!this.#open) return ask();
    const known = this.#asked.get(key);
    if (known) return known as Promise<T>;
    const answer = ask();
    this.#asked.set(key, answer);
    return answer;
  }
}
