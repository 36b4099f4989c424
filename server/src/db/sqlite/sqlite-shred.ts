import type { Database as Connection } from 'libsql';
import { MAX_TRACES } from '../storage.ts';
import { gapOf } from './sqlite-pages.js';
import type { PageSearch } from './sqlite-reader.ts';

/** How many pages the thread looks through before others who wait for it have their turn: 32 MB. */
const SEARCHED_AT_ONCE = 8192;
const CLEARED_AT_ONCE = 20;
/** A copy can be cut off, so the beginning of a long text has to do. */
const TRACE_BYTES = 32;
/**
 * Overflow pages and those of the free list begin with the number of a page. As long as its first byte is 0, none of them
 * looks like a b-tree page. With 4 KB a page that is up to 64 GB.
 */
const TOO_MANY_PAGES = 2 ** 24;
const RESERVED_BYTES_AT = 20;
const MAX_ROOT_AT = 52;

interface Tools {
  write: Connection;
  inTransaction<T>(work: () => Promise<T>): Promise<T>;
  searchPages(search: PageSearch): Promise<number[]>;
  emptyLog(): Promise<void>;
}

/**
 * Takes what was deleted out of the files. `secure_delete` overwrites deleted rows, but when SQLite moves rows from page
 * to page, copies stay behind in the unused middle of pages, where it never looks again.
 */
export class Shredder {
  readonly #tools: Tools;
  readonly #traces = new Set<string>();
  #everything = false;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  /** Those who come while one is under way share the next. */
  shred(traces: readonly string[]): Promise<void> {
    this.#note(traces);
    if (this.#next) return this.#next;
    const next = this.#running.then(() => {
      this.#next = undefined;
      return this.#run();
    });
    this.#next = next;
    this.#running = next.catch(() => {});
    return next;
  }

  #note(traces: readonly string[]): void {
    if (traces.length === 0) this.#everything = true;
    for (const trace of traces) this.#traces.add(trace);
  }

  #take(): string[] {
    const taken = this.#everything || this.#traces.size > MAX_TRACES ? [] : [...this.#traces];
    this.#everything = false;
    this.#traces.clear();
    return taken;
  }

  async #run(): Promise<void> {
    const traces = this.#take();
    try {
      await this.#clearCopies(traces);
      await this.#tools.emptyLog();
    } catch (error) {
      // The next one takes them along.
      this.#note(traces);
      throw error;
    }
  }

  async #clearCopies(traces: readonly string[]): Promise<void> {
    const { write, searchPages } = this.#tools;
    const [{ page_count: pages }] = write.prepare('pragma page_count').all([]) as [{ page_count: number }];
    const first = readPage(write, 1);
    // With auto-vacuum there are pages that begin like b-tree pages and are none; it is off unless someone switched it on.
    if (!first || pages >= TOO_MANY_PAGES || first.readUInt32BE(MAX_ROOT_AT) !== 0) return;
    const usableSize = first.length - first.readUInt8(RESERVED_BYTES_AT);
    const texts = [...new Set(traces.flatMap(asStored))];
    for (let from = 1; from <= pages; from += SEARCHED_AT_ONCE)
      await this.#clearPages(
        await searchPages({ from, to: from + SEARCHED_AT_ONCE - 1, usableSize, texts }),
        usableSize,
      );
  }

  /** A few at a time, as others want to write too. Meanwhile they may have changed: what counts is what they are now. */
  async #clearPages(pageNumbers: readonly number[], usableSize: number): Promise<void> {
    const { write, inTransaction } = this.#tools;
    for (let from = 0; from < pageNumbers.length; from += CLEARED_AT_ONCE)
      await inTransaction(async () => {
        for (const pageNumber of pageNumbers.slice(from, from + CLEARED_AT_ONCE)) {
          const page = readPage(write, pageNumber);
          const gap = page && gapOf(page, pageNumber, usableSize);
          if (!gap) continue;
          page.fill(0, gap.start, gap.end);
          write.prepare('update sqlite_dbpage set data = ? where pgno = ?').run([page, pageNumber]);
        }
      });
  }
}

function readPage(connection: Connection, pageNumber: number): Buffer | undefined {
  // By `all`, which finishes the statement: one that is not would hold on to the log.
  const [row] = connection.prepare('select data from sqlite_dbpage where pgno = ?').all([pageNumber]);
  return row === undefined ? undefined : Buffer.from((row as { data: ArrayBuffer }).data);
}

/** As it stands in a column of its own, and within JSON. */
function asStored(trace: string): string[] {
  return [trace, JSON.stringify(trace).slice(1, -1)].map(beginning);
}

function beginning(text: string): string {
  if (Buffer.byteLength(text) <= TRACE_BYTES) return text;
  // A character that is cut in two becomes another one: without it.
  return Buffer.from(text)
    .subarray(0, TRACE_BYTES)
    .toString()
    .replace(/\ufffd+$/, '');
}
