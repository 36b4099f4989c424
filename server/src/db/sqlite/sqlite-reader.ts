import { Worker } from 'node:worker_threads';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { type Column, converterFor, type Row, type SqliteValue, streamNothing, toSqlite } from './sqlite-kysely.ts';

/** What the thread is told when it starts. */
export interface ReaderSettings {
  file: string;
  lockWaitMs: number;
}

interface Query {
  sql: string;
  parameters: SqliteValue[];
}

/** Which pages have one of the texts in their unused middle, or with no texts anything at all. */
export interface PageSearch {
  from: number;
  to: number;
  usableSize: number;
  texts: readonly string[];
}

/** What the thread is asked; null asks it to end when it has answered all before. */
export type WorkerRequest = ({ id: number } & Asked) | null;
type Asked = Query | { pages: PageSearch } | { log: 'copy' };

export type WorkerReply =
  | { id: number; columns: Column[]; rows: Row[] }
  | { id: number; error: { message: string; code: string | undefined } };

/**
 * Reads in a thread with a connection of its own, one after the other, while this thread goes on. The thread starts
 * when it is first needed; after it died, anew.
 */
export class ThreadedReader implements DatabaseConnection {
  readonly #settings: ReaderSettings;
  #thread: ReaderThread | undefined;
  #closed = false;

  constructor(settings: ReaderSettings) {
    this.#settings = settings;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { columns, rows } = await this.#ask({ sql, parameters: parameters.map(toSqlite) });
    const convert = converterFor(columns);
    if (convert) for (const row of rows) convert(row);
    return { rows: rows as R[] };
  }

  streamQuery = streamNothing;

  async searchPages(pages: PageSearch): Promise<number[]> {
    const { rows } = await this.#ask({ pages });
    return rows.map(({ pgno }) => pgno as number);
  }

  /** Copies the log into the file, but for what is written meanwhile. */
  async copyLog(): Promise<void> {
    await this.#ask({ log: 'copy' });
  }

  /** Answers those who wait, then ends the thread. */
  async close(): Promise<void> {
    // What was asked for before comes here some promises later.
    await new Promise(setImmediate);
    this.#closed = true;
    await this.#thread?.finish();
    // The last answer and the end of the thread may come at once: whoever was answered goes on first.
    await new Promise(setImmediate);
  }

  async #ask(asked: Asked): Promise<{ columns: Column[]; rows: Row[] }> {
    if (this.#closed) throw new Error('The storage is closed');
    if (!this.#thread?.isAlive) this.#thread = new ReaderThread(this.#settings);
    return this.#thread.ask(asked);
  }
}

interface Waiting {
  resolve(result: { columns: Column[]; rows: Row[] }): void;
  reject(error: Error): void;
}

class ReaderThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #ended: Promise<void>;
  #alive = true;
  #finishing = false;
  #lastId = 0;

  constructor(workerData: ReaderSettings) {
    this.#worker = new Worker(new URL('./sqlite-worker.js', import.meta.url), { workerData });
    this.#worker.on('message', (answer: WorkerReply) => this.#settle(answer));
    this.#ended = new Promise((resolve) => {
      let cause: unknown;
      this.#worker.on('error', (error) => {
        cause = error;
      });
      this.#worker.on('exit', () => {
        this.#alive = false;
        for (const { reject } of this.#waiting.values()) reject(new ThreadDied(cause));
        this.#waiting.clear();
        resolve();
      });
    });
  }

  get isAlive(): boolean {
    return this.#alive;
  }

  ask(asked: Asked): Promise<{ columns: Column[]; rows: Row[] }> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      this.#waiting.set(id, { resolve, reject });
      // The process lives on for an answer, not for a thread that has nothing to do.
      this.#worker.ref();
      this.#tell({ id, ...asked });
    });
  }

  /** Never by `terminate`: in the midst of a query that makes libsql abort the whole process. */
  async finish(): Promise<void> {
    this.#finishing = true;
    this.#worker.ref();
    this.#tell(null);
    await this.#ended;
  }

  #tell(question: WorkerRequest): void {
    this.#worker.postMessage(question);
  }

  #settle(answer: WorkerReply): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0 && !this.#finishing) this.#worker.unref();
    if ('error' in answer) waiting?.reject(Object.assign(new Error(answer.error.message), { code: answer.error.code }));
    else waiting?.resolve(answer);
  }
}

/** With a code as of SQLite itself, so that it counts as the storage being away. */
class ThreadDied extends Error {
  readonly code = 'SQLITE_IOERR';

  constructor(cause: unknown) {
    const why = cause instanceof Error ? `: ${cause.message}` : '';
    super(`The thread that reads ended before it had answered${why}`, { cause });
  }
}
