import { ApiError } from '../../../errors.ts';

/** Every file of a large folder can be wrong. No person reads more than these. */
const MAX_MESSAGES = 1000;

/** Collects what is wrong in all files, so that people see it together. */
export class Failures {
  readonly #messages = new Set<string>();
  readonly #codes = new Set<number>();
  readonly #files = new Set<string>();

  add(file: string, code: number, messages: readonly string[]): void {
    this.#files.add(file);
    this.#codes.add(code);
    for (const message of messages.slice(0, MAX_MESSAGES - this.#messages.size))
      this.#messages.add(`${file}.yaml: ${message}`);
  }

  has(file: string): boolean {
    return this.#files.has(file);
  }

  /** Runs a write. What it rejects is a failure of the file; other errors are thrown. */
  async collect(file: string, write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.add(file, error.code, error.messages);
    }
  }

  throwAny(): void {
    if (this.#messages.size === 0) return;
    const [code = 422, ...others] = this.#codes;
    throw new ApiError(others.length > 0 ? 422 : code, [...this.#messages]);
  }
}
