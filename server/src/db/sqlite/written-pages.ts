import { closeSync, openSync, readSync } from 'node:fs';
import { deflateSync, inflateSync } from 'node:zlib';
import type { Database as Connection } from 'libsql';
import { codeOf } from '../../error-code.ts';
import { readRows, type SqliteConnection } from './sqlite-connection.ts';

/**
 * Overflow pages and pages of the free list begin with a page number. While its first byte is 0, such a page cannot be
 * taken for a b-tree page. With pages of 4 KB that holds for up to 64 GB.
 */
export const MAX_PAGES = 2 ** 24;
/** The entries of `installation`: what the last process knew when it closed, and which process has gone through the file. */
const SAVED = 'written_pages';
export const CLEARED_BY = 'gaps_cleared_by';

/** The parts of the write-ahead log, see https://www.sqlite.org/fileformat2.html#walformat. */
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const FRAMES_PER_READ = 8;
/** A thread has the lock for one commit at most, unless it has died with it. */
const MAX_LOCK_WAIT_MS = 2000;

/** Positions in the shared memory. After them follows one bit for each page. */
const LOCK = 0;
/** The name of this process in `user_version`. It gets another one when another process has written. */
const OWNER = 1;
/** The last `user_version` of another process. */
const FOUND = 2;
/** How many frames of the log are read, and its salts, which change when SQLite starts the log from its beginning. */
const READ_FRAMES = 3;
const SALT_1 = 4;
const SALT_2 = 5;
const IS_UNSURE = 6;
const SWEPT_TO = 7;
const GENERATION = 8;
const IS_LOADED = 9;
const FIELDS = 10;

/**
 * Knows which pages of the file were written since their gaps were cleared, so that a deletion looks at these only.
 *
 * Every page that SQLite writes is a frame in the write-ahead log. Each transaction begins with reading the frames of those
 * before it, while it has SQLite's lock: only a later commit can overwrite them. `user_version` names the process that has
 * written last. If that is another one, which frames it wrote is not known, and all pages count as written.
 *
 * The main thread and the thread for batches share the memory. See docs/decisions/0007-shredding.md.
 */
export class WrittenPages {
  readonly shared: SharedArrayBuffer;
  readonly #log: string;
  readonly #isMain: boolean;
  readonly #state: Int32Array<SharedArrayBuffer>;
  readonly #bits: Uint8Array<SharedArrayBuffer>;
  readonly #header = Buffer.alloc(LOG_HEADER_BYTES);
  #frames = Buffer.alloc(0);
  #handle: number | undefined;
  /** Of the transaction that runs: whether another process was the last writer, and the changes of the connection before it. */
  #isForeign = false;
  #changesBefore = 0;

  /** @param sharedByMain the memory of the main thread; left out on the main thread itself */
  constructor(file: string, sharedByMain?: SharedArrayBuffer) {
    this.#log = `${file}-wal`;
    this.#isMain = sharedByMain === undefined;
    this.shared = sharedByMain ?? new SharedArrayBuffer(FIELDS * Int32Array.BYTES_PER_ELEMENT + MAX_PAGES / 8);
    this.#state = new Int32Array(this.shared, 0, FIELDS);
    this.#bits = new Uint8Array(this.shared, FIELDS * Int32Array.BYTES_PER_ELEMENT);
    if (this.#isMain) this.#set(OWNER, newOwner());
  }

  /** Call it at the beginning of each transaction that writes. */
  atBegin(connection: SqliteConnection): void {
    this.#locked(() => {
      const owner = readOwner(connection);
      this.#isForeign = owner !== this.#get(OWNER);
      if (this.#isForeign && owner !== this.#get(FOUND)) this.#reset();
      if (this.#isForeign) this.#set(FOUND, owner);
      this.#changesBefore = connection.changeCount;
      this.#readLog();
    });
  }

  commit(connection: SqliteConnection, run: () => void): void {
    try {
      // A transaction that only reads does not make this process the last writer.
      if (this.#isForeign && connection.changeCount !== this.#changesBefore)
        connection.exec(`pragma user_version = ${this.#get(OWNER)}`);
      // The main thread cannot commit while it empties the log. The other thread must not.
      if (this.#isMain) run();
      else this.#locked(run);
    } catch (error) {
      // The log may have frames of this commit, and the next one writes over them.
      this.#set(IS_UNSURE, 1);
      throw error;
    }
  }

  /** Runs what empties the log, on the main thread. */
  emptyLog<T>(run: () => T): T {
    return this.#locked(() => {
      this.#readLog();
      return run();
    });
  }

  /**
   * Call it after the log was emptied. Frames that another process has not read yet may be gone, so it must notice that it
   * was not the last writer. Returns false if somebody writes now.
   */
  noteEmptied(connection: Connection): boolean {
    const [row] = readRows<{ user_version: number }>(connection, 'pragma user_version');
    if (row?.user_version === this.#get(OWNER)) return true;
    try {
      connection.exec(`pragma user_version = ${newOwner()}`);
      return true;
    } catch (error) {
      if (codeOf(error) === 'SQLITE_BUSY') return false;
      throw error;
    }
  }

  /** The last page up to which the whole file was gone through, and when that began to count. Call it in a transaction. */
  progress(connection: SqliteConnection): { sweptTo: number; generation: number } {
    this.#load(connection);
    if (this.#get(SWEPT_TO) >= MAX_PAGES) this.#noteCleared(connection);
    return { sweptTo: this.#get(SWEPT_TO), generation: this.#get(GENERATION) };
  }

  /** Call it in a transaction. It has no effect if another process has written since `progress`. */
  setProgress(connection: SqliteConnection, sweptTo: number, generation: number): void {
    if (this.#get(GENERATION) !== generation) return;
    this.#set(SWEPT_TO, sweptTo);
    if (sweptTo >= MAX_PAGES) this.#noteCleared(connection);
  }

  /** Takes written pages after a page out of the set, in a file of so many pages. Call it in a transaction. */
  take(pages: number, after = 0, max = pages): number[] {
    const taken: number[] = [];
    for (let page = after + 1; page <= pages && taken.length < max; page++) {
      const byte = this.#bits[page >> 3] ?? 0;
      if (byte === 0) page |= 7;
      else if (byte & (1 << (page & 7))) taken.push(page);
    }
    for (const page of taken) Atomics.and(this.#bits, page >> 3, ~(1 << (page & 7)));
    return taken;
  }

  add(page: number): void {
    if (page < MAX_PAGES) Atomics.or(this.#bits, page >> 3, 1 << (page & 7));
  }

  /** Keeps what is known for the next process. Call it when nothing else can write any more. */
  save(connection: SqliteConnection): void {
    if (this.#get(FOUND) === 0 && readOwner(connection) !== this.#get(OWNER)) return;
    try {
      connection.exec('begin immediate');
      this.atBegin(connection);
      this.#load(connection);
      if (this.#get(SWEPT_TO) > 0) {
        const owner = newOwner();
        const used = this.#bits.slice(0, this.#bits.findLastIndex((byte) => byte !== 0) + 1);
        writeEntry(connection, SAVED, [owner, this.#get(SWEPT_TO), deflateSync(used).toString('base64')].join(' '));
        if (this.#get(SWEPT_TO) >= MAX_PAGES) writeEntry(connection, CLEARED_BY, String(owner));
        connection.exec(`pragma user_version = ${owner}`);
      }
      connection.exec('commit');
      // A file that is copied after the end of the process is complete without its log.
      connection.query('pragma wal_checkpoint(passive)', []);
    } catch {
      // The next process goes through the whole file.
      if (connection.inTransaction) connection.exec('rollback');
    }
  }

  /** The file is another one now: all its pages count as written. */
  startAgain(): void {
    this.close();
    this.#locked(() => this.#reset());
  }

  close(): void {
    if (this.#handle !== undefined) closeSync(this.#handle);
    this.#handle = undefined;
  }

  #load(connection: SqliteConnection): void {
    if (this.#get(IS_LOADED) === 1) return;
    this.#set(IS_LOADED, 1);
    const [owner, sweptTo, pages = ''] = readEntry(connection, SAVED)?.split(' ') ?? [];
    if (Number(owner) !== this.#get(FOUND)) return;
    for (const [at, byte] of inflateSync(Buffer.from(pages, 'base64')).entries()) Atomics.or(this.#bits, at, byte);
    this.#set(SWEPT_TO, Number(sweptTo));
  }

  #noteCleared(connection: SqliteConnection): void {
    const owner = String(this.#get(OWNER));
    if (readEntry(connection, CLEARED_BY) !== owner) writeEntry(connection, CLEARED_BY, owner);
  }

  /** All pages may have been written. */
  #reset(): void {
    this.#bits.fill(0);
    this.#set(SWEPT_TO, 0);
    this.#set(IS_LOADED, 0);
    this.#set(OWNER, newOwner());
    Atomics.add(this.#state, GENERATION, 1);
  }

  #readLog(): void {
    try {
      this.#readFrames();
    } catch {
      // A write does not fail because of this.
      this.#reset();
    }
  }

  /** Adds the pages of all frames since the last call. Frames that were rolled back can be among them: that does no harm. */
  #readFrames(): void {
    const handle = this.#open();
    if (handle === undefined || readSync(handle, this.#header, 0, LOG_HEADER_BYTES, 0) < LOG_HEADER_BYTES) return;
    const [salt1, salt2] = [this.#header.readInt32BE(16), this.#header.readInt32BE(20)];
    if (salt1 !== this.#get(SALT_1) || salt2 !== this.#get(SALT_2)) {
      // Another process has begun the log again, maybe more than once: what it wrote before is gone.
      if (this.#isForeign) this.#reset();
      this.#set(SALT_1, salt1);
      this.#set(SALT_2, salt2);
      this.#set(READ_FRAMES, 0);
      this.#set(IS_UNSURE, 0);
    }
    const frameBytes = FRAME_HEADER_BYTES + this.#header.readUInt32BE(8);
    if (this.#frames.length !== FRAMES_PER_READ * frameBytes) this.#frames = Buffer.alloc(FRAMES_PER_READ * frameBytes);
    let frame = this.#get(IS_UNSURE) === 1 ? 0 : this.#get(READ_FRAMES);
    for (;;) {
      const from = LOG_HEADER_BYTES + frame * frameBytes;
      const bytes = readSync(handle, this.#frames, 0, this.#frames.length, from);
      for (let at = 0; at < this.#frames.length; at += frameBytes) {
        if (at + frameBytes > bytes) return;
        if (this.#frames.readInt32BE(at + 8) !== salt1 || this.#frames.readInt32BE(at + 12) !== salt2) return;
        this.add(this.#frames.readUInt32BE(at));
        frame += 1;
        // The last frame of a commit has the size of the file. Frames after the last commit can still be replaced.
        if (this.#frames.readUInt32BE(at + 4) !== 0) this.#set(READ_FRAMES, frame);
      }
    }
  }

  /** SQLite has no locks on its log, so opening and closing it releases none. */
  #open(): number | undefined {
    try {
      this.#handle ??= openSync(this.#log, 'r');
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
    }
    return this.#handle;
  }

  #locked<T>(run: () => T): T {
    while (Atomics.compareExchange(this.#state, LOCK, 0, 1) !== 0)
      if (Atomics.wait(this.#state, LOCK, 1, MAX_LOCK_WAIT_MS) === 'timed-out') {
        this.#reset();
        break;
      }
    try {
      return run();
    } finally {
      Atomics.store(this.#state, LOCK, 0);
      Atomics.notify(this.#state, LOCK, 1);
    }
  }

  #get(field: number): number {
    return Atomics.load(this.#state, field);
  }

  #set(field: number, value: number): void {
    Atomics.store(this.#state, field, value);
  }
}

export function newOwner(): number {
  return 1 + Math.floor(Math.random() * 0x7ffffffe);
}

function readOwner(connection: SqliteConnection): number {
  return connection.query<{ user_version: number }>('pragma user_version', [])[0]?.user_version ?? 0;
}

/** The first versions have no such table. */
function readEntry(connection: SqliteConnection, name: string): string | undefined {
  if (!hasEntries(connection)) return undefined;
  return connection.query<{ value: string }>('select value from installation where name = ?', [name])[0]?.value;
}

function writeEntry(connection: SqliteConnection, name: string, value: string): void {
  if (hasEntries(connection))
    connection.query('insert or replace into installation (name, value) values (?, ?)', [name, value]);
}

function hasEntries(connection: SqliteConnection): boolean {
  return connection.query("select name from sqlite_schema where name = 'installation'", []).length > 0;
}
