import { write, writeSync } from 'node:fs';
import { codeOf } from '../error-code.ts';

const RETRY_MS = 100;
/** While nothing can be written, this many bytes wait. Further lines are lost. */
const MAX_WAITING = 16 * 1024 * 1024;
/** For how long the end of the process waits for a slow reader. */
const MAX_FLUSH_MS = 2000;
const nothing = Buffer.alloc(0);

/**
 * Writes lines to a file descriptor, without waiting for it. A failed write affects only the log: if its disk is full,
 * lines are written later or are lost, and if nothing reads the pipe any more, lines are discarded. The server goes on,
 * and can end.
 */
export class LogOutput {
  readonly #descriptor: number;
  #waiting = '';
  /** The bytes that are being written, or that could not be written. */
  #chunk: Buffer = nothing;
  #isWriting = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  write(lines: string): void {
    if (this.#isClosed || this.#waiting.length + lines.length > MAX_WAITING) return;
    this.#waiting += lines;
    if (!this.#isWriting && this.#timer === undefined) this.#writeNext();
  }

  /** Writes the waiting lines, as far as that is possible now. */
  flushSync(): void {
    const end = performance.now() + MAX_FLUSH_MS;
    // A write that is in progress is left to the system.
    const chunk = this.#isWriting ? nothing : this.#chunk;
    if (!this.#isWriting) this.#chunk = nothing;
    let rest = Buffer.concat([chunk, Buffer.from(this.#waiting)]);
    this.#waiting = '';
    while (rest.length > 0 && !this.#isClosed && performance.now() < end) {
      try {
        rest = rest.subarray(writeSync(this.#descriptor, rest));
      } catch (error) {
        if (!isBusy(error)) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS / 10);
      }
    }
  }

  /** The logger calls this when a server ends. */
  flush(done: () => void): void {
    this.flushSync();
    done();
  }

  #writeNext(): void {
    if (this.#chunk.length === 0) {
      this.#chunk = Buffer.from(this.#waiting);
      this.#waiting = '';
    }
    if (this.#chunk.length === 0) return;
    this.#isWriting = true;
    write(this.#descriptor, this.#chunk, (error, count) => {
      this.#isWriting = false;
      if (error?.code === 'EPIPE') this.#close();
      else if (error) this.#writeLater();
      else {
        this.#chunk = this.#chunk.subarray(count);
        this.#writeNext();
      }
    });
  }

  #writeLater(): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#writeNext();
    }, RETRY_MS).unref();
  }

  #close(): void {
    this.#isClosed = true;
    this.#waiting = '';
    this.#chunk = nothing;
  }
}

/** Whether the reader of a pipe is slower than this process. */
function isBusy(error: unknown): boolean {
  return ['EAGAIN', 'EBUSY'].includes(codeOf(error));
}
