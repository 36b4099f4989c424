/**
 * Passes on whole lines only, so that the lines of several processes do not mix. A line without an end gets one when
 * the output ends.
 */
export class WholeLines {
  readonly #write: (lines: string) => void;
  #rest = '';

  constructor(write: (lines: string) => void) {
    this.#write = write;
  }

  add(text: string): void {
    const end = text.lastIndexOf('\n') + 1;
    if (end > 0) this.#write(this.#rest + text.slice(0, end));
    this.#rest = end > 0 ? text.slice(end) : this.#rest + text;
  }

  end(): void {
    if (this.#rest !== '') this.#write(`${this.#rest}\n`);
    this.#rest = '';
  }
}
