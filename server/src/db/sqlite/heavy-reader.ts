import { Worker } from 'node:worker_threads';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { type Column, converterFor, type Row, type SqliteValue, streamNothing, toSqlite } from './sqlite-kysely.ts';

/** What the thread receives when it starts. */
export interface ReaderSettings {
  file: string;
  lockWaitMs: number;
}

interface Query {
  sql: string;
  parameters: SqliteValue[];
}

/** Finds the pages that have one of the texts in their gap; without texts, the pages that have anything in their gap. */
export interface PageSearch {
  pages: readonly number[];
  usableSize: number;
  texts: readonly string[];
}

type Task = Query | { search: PageSearch } | { log: 'copy' };
/** A message to the thread. With null the thread ends after all requests before it. */
export type ReaderRequest = ({ id: number } & Task) | null;

interface Result {
  columns: Column[];
  rows: Row[];
}

export type ReaderResponse =
  | ({ id: number } & Result)
  | { id: number; error: { message: string; code: string | undefined } };

/**
 * Reads in its own thread with its own connection, one query after the other, while this thread goes on. The thread
 * starts with the first query, and again with the next query after it has died.
 */
export class HeavyReader implements DatabaseConnection {
  readonly #settings: ReaderSettings;
  #thread: ReaderThread | undefined;
  #isClosed = false;

  constructor(settings: ReaderSettings) {
    this.#settings = settings;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { columns, rows } = await this.#send({ sql, parameters: parameters.map(toSqlite) });
    const convert = converterFor(columns);
    if (convert) for (const row of rows) convert(row);
    return { rows: rows as R[] };
  }

  streamQuery = streamNothing;

  async searchPages(search: PageSearch): Promise<number[]> {
    const { rows } = await this.#send({ search });
    return rows.map(({ pgno }) => Number(pgno));
  }

  /** Copies the write-ahead log into the file, except for what is written meanwhile. */
  async copyLog(): Promise<void> {
    await this.#send({ log: 'copy' });
  }

  /** Waits for the running queries, then ends the thread. */
  async close(): Promise<void> {
    // A query that was started before reaches this object some promises later.
    await new Promise(setImmediate);
    this.#isClosed = true;
    await this.#thread?.finish();
    // The last response and the end of the thread may arrive in the same tick. The query's caller continues first.
    await new Promise(setImmediate);
  }

  async #send(task: Task): Promise<Result> {
    if (this.#isClosed) throw new Error('The storage is closed');
    if (!this.#thread?.isAlive) this.#thread = new ReaderThread(this.#settings);
    return this.#thread.send(task);
  }
}

interface PendingRequest {
  resolve(result: Result): void;
  reject(error: Error): void;
}

class ReaderThread {
  readonly #worker: Worker;
  readonly #pending = new Map<number, PendingRequest>();
  readonly #ended: Promise<void>;
  #isAlive = true;
  #isFinishing = false;
  #lastId = 0;

  constructor(workerData: ReaderSettings) {
    this.#worker = new Worker(new URL('./heavy-reader-worker.js', import.meta.url), { workerData });
    this.#worker.on('message', (response: ReaderResponse) => this.#receive(response));
    this.#ended = new Promise((resolve) => {
      let cause: unknown;
      this.#worker.on('error', (error) => {
        cause = error;
      });
      this.#worker.on('exit', () => {
        this.#isAlive = false;
        for (const { reject } of this.#pending.values()) reject(new ThreadDied(cause));
        this.#pending.clear();
        resolve();
      });
    });
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  send(task: Task): Promise<Result> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      this.#pending.set(id, { resolve, reject });
      // A pending request keeps the process alive. An idle thread does not.
      this.#worker.ref();
      this.#post({ id, ...task });
    });
  }

  /** Does not use `terminate`: libsql aborts the whole process if that happens during a query. */
  async finish(): Promise<void> {
    this.#isFinishing = true;
    this.#worker.ref();
    this.#post(null);
    await this.#ended;
  }

  #post(request: ReaderRequest): void {
    this.#worker.postMessage(request);
  }

  #receive(response: ReaderResponse): void {
    const pending = this.#pending.get(response.id);
    this.#pending.delete(response.id);
    if (this.#pending.size === 0 && !this.#isFinishing) this.#worker.unref();
    if ('error' in response) {
      const { message, code } = response.error;
      pending?.reject(Object.assign(new Error(message), { code }));
    } else pending?.resolve(response);
  }
}

/** Has a code like SQLite's own errors, so that it counts as an unavailable storage. */
class ThreadDied extends Error {
  readonly code = 'SQLITE_IOERR';

  constructor(cause: unknown) {
    const reason = cause instanceof Error ? `: ${cause.message}` : '';
    super(`The thread for heavy reads ended before it responded${reason}`, { cause });
  }
}
