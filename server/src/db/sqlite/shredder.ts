import { setTimeout as pause } from 'node:timers/promises';
import { MAX_TRACES } from '../storage.ts';
import type { PageSearch } from './heavy-reader.ts';
import { findGap } from './page-layout.js';
import type { SqliteConnection } from './sqlite-connection.ts';
import { MAX_PAGES, type WrittenPages } from './written-pages.ts';

/** The thread searches 32 MB at a time, so that heavy reads can run in between. */
const PAGES_PER_SEARCH = 8192;
/** In the background, a deletion waits for so many pages at most. */
const PAGES_PER_PART = 1024;
const PAGES_PER_WRITE = 20;
/** A copy can be cut off, so only the beginning of a long text is searched for. */
const TRACE_BYTES = 32;
/** Positions in the header of the file. */
const RESERVED_BYTES_AT = 20;
const LARGEST_ROOT_PAGE_AT = 52;

interface ShredderDependencies {
  connection: SqliteConnection;
  written: WrittenPages;
  inTransaction<T>(work: () => Promise<T>): Promise<T>;
  searchPages(search: PageSearch): Promise<number[]>;
  truncateLog(): Promise<void>;
}

interface Layout {
  pages: number;
  usableSize: number;
}

/**
 * Removes deleted data from the files. `secure_delete` overwrites deleted rows, but when SQLite moves rows between pages,
 * it leaves copies in the unused gap in the middle of pages. See docs/decisions/0007-shredding.md for why nothing simpler is enough.
 */
export class Shredder {
  readonly #deps: ShredderDependencies;
  readonly #traces = new Set<string>();
  #clearsAll = false;
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<void> | undefined;
  #clearing: Promise<void> | undefined;
  #isClosed = false;

  constructor(deps: ShredderDependencies) {
    this.#deps = deps;
  }

  /** All calls that arrive while a round runs share the next round. */
  shred(traces: readonly string[]): Promise<void> {
    this.#addTraces(traces);
    this.#next ??= this.inTurn(() => {
      this.#next = undefined;
      return this.#runRound();
    });
    return this.#next;
  }

  /**
   * Clears the gaps of the pages that were written since the last time; of all pages, if which ones is not known. It does
   * so in small parts, so that a deletion does not wait for all of them.
   */
  clearGaps(): Promise<void> {
    this.#clearing ??= this.#clearAllGaps().finally(() => {
      this.#clearing = undefined;
    });
    return this.#clearing;
  }

  async #clearAllGaps(): Promise<void> {
    let page: number | undefined = 0;
    const sweepFile = () => this.#sweepPartOfFile();
    const sweepWritten = async () => {
      ({ last: page } = await this.#sweepWritten(page, PAGES_PER_PART));
      return page !== undefined;
    };
    for (const sweepPart of [sweepFile, sweepWritten])
      for (let goesOn = true; goesOn && !this.#isClosed; ) {
        const start = performance.now();
        goesOn = await this.inTurn(sweepPart);
        // Half of the time is for requests.
        await pause(performance.now() - start);
      }
  }

  /** Ends `clearGaps` after the current part. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  /** Runs work while no deletion is under way. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#running.then(work);
    this.#running = done.catch(() => {});
    return done;
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
      const { isKnown } = await this.#sweepWritten();
      if (!isKnown) await this.#clearCopies(traces);
      await this.#deps.truncateLog();
    } catch (error) {
      // The next round tries these again.
      this.#addTraces(traces);
      throw error;
    }
  }

  /** Which pages may have copies is not known: the whole file is searched for the traces. */
  async #clearCopies(traces: readonly string[]): Promise<void> {
    const layout = this.#readLayout();
    if (!layout) return;
    const texts = [...new Set(traces.flatMap(toStoredTexts))];
    await this.#clear(listPages(1, layout.pages), layout, texts);
  }

  /** Returns false when the whole file was swept. */
  async #sweepPartOfFile(): Promise<boolean> {
    const { connection, written, inTransaction } = this.#deps;
    const layout = this.#readLayout();
    const { sweptTo, generation } = await inTransaction(async () => written.progress(connection));
    if (!layout || sweptTo >= MAX_PAGES) return false;
    const to = Math.min(sweptTo + PAGES_PER_PART, layout.pages);
    await this.#clear(listPages(sweptTo + 1, to), layout, []);
    // The pages that were added meanwhile are written pages.
    const reached = to === layout.pages ? MAX_PAGES : to;
    await inTransaction(async () => written.setProgress(connection, reached, generation));
    return true;
  }

  /**
   * Clears the gaps of written pages. Pages that are written meanwhile are swept the next time, the cleared ones among
   * them. Returns the last page, if there was one, and whether it is known which pages were written.
   */
  async #sweepWritten(after?: number, max?: number): Promise<{ isKnown: boolean; last: number | undefined }> {
    const { connection, written, inTransaction } = this.#deps;
    // A transaction may run more than once.
    let taken: number[] = [];
    try {
      const layout = await inTransaction(async () => {
        const layout = this.#readLayout();
        if (!layout || written.progress(connection).sweptTo < MAX_PAGES) return undefined;
        taken = taken.concat(written.take(layout.pages, after, max));
        return layout;
      });
      if (!layout) return { isKnown: false, last: undefined };
      await this.#clear(taken, layout, []);
      return { isKnown: true, last: taken.at(-1) };
    } catch (error) {
      for (const page of taken) written.add(page);
      throw error;
    }
  }

  /** Returns nothing if other pages can look like b-tree pages: in a large file, and with auto-vacuum, which is off by default. */
  #readLayout(): Layout | undefined {
    const { connection } = this.#deps;
    const [{ page_count: pages } = { page_count: 0 }] = connection.query<{ page_count: number }>(
      'pragma page_count',
      [],
    );
    const header = readPage(connection, 1);
    if (!header || pages >= MAX_PAGES || header.readUInt32BE(LARGEST_ROOT_PAGE_AT) !== 0) return undefined;
    return { pages, usableSize: header.length - header.readUInt8(RESERVED_BYTES_AT) };
  }

  /** Clears the gaps that contain one of the texts; without texts, all gaps. */
  async #clear(pages: readonly number[], { usableSize }: Layout, texts: readonly string[]): Promise<void> {
    for (let from = 0; from < pages.length; from += PAGES_PER_SEARCH) {
      const found = await this.#deps.searchPages({
        pages: pages.slice(from, from + PAGES_PER_SEARCH),
        usableSize,
        texts,
      });
      await this.#clearPages(found, usableSize);
    }
  }

  /** Writes a few pages at a time, because requests want to write too. Each page is read again: it may have changed. */
  async #clearPages(pageNumbers: readonly number[], usableSize: number): Promise<void> {
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

function listPages(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
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
