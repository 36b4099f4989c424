import { MAX_TRACES } from '../storage.ts';
import type { PageSearch } from './heavy-reader.ts';
import { findGap } from './page-layout.js';
import type { SqliteConnection } from './sqlite-connection.ts';

/** The thread searches 32 MB at a time, so that heavy reads can run in between. */
const PAGES_PER_SEARCH = 8192;
const PAGES_PER_WRITE = 20;
/** A copy can be cut off, so only the beginning of a long text is searched for. */
const TRACE_BYTES = 32;
/**
 * Overflow pages and pages of the free list begin with a page number. While its first byte is 0, such a page cannot be
 * taken for a b-tree page. With pages of 4 KB that holds for up to 64 GB.
 */
const MAX_PAGES = 2 ** 24;
/** Positions in the header of the file. */
const RESERVED_BYTES_AT = 20;
const LARGEST_ROOT_PAGE_AT = 52;

interface ShredderDependencies {
  connection: SqliteConnection;
  inTransaction<T>(work: () => Promise<T>): Promise<T>;
  searchPages(search: PageSearch): Promise<number[]>;
  truncateLog(): Promise<void>;
}

/**
 * Removes deleted data from the files. `secure_delete` overwrites deleted rows, but when SQLite moves rows between pages,
 * it leaves copies in the unused gap in the middle of pages. See docs/decisions/0007-shredding.md for why nothing simpler is enough.
 */
export class Shredder {
  readonly #deps: ShredderDependencies;
  readonly #traces = new Set<string>();
  #clearsAll = false;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(deps: ShredderDependencies) {
    this.#deps = deps;
  }

  /** All calls that arrive while a round runs share the next round. */
  shred(traces: readonly string[]): Promise<void> {
    this.#addTraces(traces);
    if (this.#next) return this.#next;
    const next = this.#running.then(() => {
      this.#next = undefined;
      return this.#runRound();
    });
    this.#next = next;
    this.#running = next.catch(() => {});
    return next;
  }

  #addTraces(traces: readonly string[]): void {
    if (traces.length === 0) this.#clearsAll = true;
    for (const trace of traces) this.#traces.add(trace);
  }

  #takeTraces(): string[] {
    const taken = this.#clearsAll || this.#traces.size > MAX_TRACES ? [] : [...this.#traces];
    this.#clearsAll = false;
    this.#traces.clear();
    return taken;
  }

  async #runRound(): Promise<void> {
    const traces = this.#takeTraces();
    try {
      await this.#clearCopies(traces);
      await this.#deps.truncateLog();
    } catch (error) {
      // The next round tries these again.
      this.#addTraces(traces);
      throw error;
    }
  }

  async #clearCopies(traces: readonly string[]): Promise<void> {
    const { connection, searchPages } = this.#deps;
    const [{ page_count: pages } = { page_count: 0 }] = connection.query<{ page_count: number }>(
      'pragma page_count',
      [],
    );
    const header = readPage(connection, 1);
    // With auto-vacuum some pages begin like b-tree pages and are not. It is off, unless someone has turned it on.
    if (!header || pages >= MAX_PAGES || header.readUInt32BE(LARGEST_ROOT_PAGE_AT) !== 0) return;
    const usableSize = header.length - header.readUInt8(RESERVED_BYTES_AT);
    const texts = [...new Set(traces.flatMap(toStoredTexts))];
    for (let from = 1; from <= pages; from += PAGES_PER_SEARCH) {
      const found = await searchPages({ from, to: from + PAGES_PER_SEARCH - 1, usableSize, texts });
      await this.#clearGaps(found, usableSize);
    }
  }

  /** Writes a few pages at a time, because requests want to write too. Each page is read again: it may have changed. */
  async #clearGaps(pageNumbers: readonly number[], usableSize: number): Promise<void> {
    const { connection, inTransaction } = this.#deps;
    for (let from = 0; from < pageNumbers.length; from += PAGES_PER_WRITE)
      await inTransaction(async () => {
        for (const pageNumber of pageNumbers.slice(from, from + PAGES_PER_WRITE)) {
          const page = readPage(connection, pageNumber);
          const gap = page && findGap(page, pageNumber, usableSize);
          if (!gap) continue;
          page.fill(0, gap.start, gap.end);
          connection.query('update sqlite_dbpage set data = ? where pgno = ?', [page, pageNumber]);
        }
      });
  }
}

function readPage(connection: SqliteConnection, pageNumber: number): Buffer | undefined {
  // All rows are read, because a statement that is not finished would keep the log in use.
  const [row] = connection.query<{ data: ArrayBuffer }>('select data from sqlite_dbpage where pgno = ?', [pageNumber]);
  return row && Buffer.from(row.data);
}

/** The text as it is stored in its own column, and within JSON. */
function toStoredTexts(trace: string): string[] {
  return [trace, JSON.stringify(trace).slice(1, -1)].map(cutToTraceBytes);
}

function cutToTraceBytes(text: string): string {
  if (Buffer.byteLength(text) <= TRACE_BYTES) return text;
  // A character that was cut in two decodes to a replacement character, which is not in the file.
  return Buffer.from(text)
    .subarray(0, TRACE_BYTES)
    .toString()
    .replace(/\ufffd+$/, '');
}
