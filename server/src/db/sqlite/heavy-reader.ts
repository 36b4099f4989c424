import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { takeBreaks } from '../../take-breaks.ts';
import { streamNothing } from '../kysely-on-connection.ts';
import { type Turn, Turns } from '../turns.ts';
import { type Column, converterFor, type Row, type SqliteValue, toSqlite } from './sqlite-kysely.ts';

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

type Task = Query | { search: PageSearch } | { log: 'most' | 'all' };
/** A message to the thread, which gets the next one after its response. With null the thread ends. */
export type ReaderRequest = Task | null;

interface Result {
  columns: Column[];
  rows: Row[];
}

export type ReaderResponse = Result | { error: { message: string; code: string | undefined } };

/** One core is left for the main thread. One of the threads is only for short reads, so there are at least two. */
const MAX_THREADS = Math.max(2, Math.min(4, availableParallelism() - 1));
/** A thread takes some megabytes, and starts within some milliseconds. */
const IDLE_MS = 30_000;
/**
 * 32 MB. SQLite copies only what every running read has seen, and begins the log again only when no read uses it: reads that
 * overlap would let it grow forever. So a log that is longer is copied while nothing reads.
 */
const LONG_LOG_PAGES = 8192;

interface ThreadOptions {
  maxThreads?: number;
  idleMs?: number;
}

/**
 * Reads in threads, each with its own connection, while this thread goes on. Each thread runs one query at a time, and the
 * accounts take turns. A thread starts when a query finds no idle one, and ends after it was idle for a while.
 */
export class HeavyReader {
  readonly turns: Turns;
  readonly #settings: ReaderSettings;
  readonly #idleMs: number;
  readonly #threads = new Set<ReaderThread>();
  /** The thread that was used last is at the end, and is used again first, so that the others can end. */
  readonly #idle = new Set<ReaderThread>();
  #longLogPages = LONG_LOG_PAGES;
  #isClosed = false;

  constructor(settings: ReaderSettings, { maxThreads = MAX_THREADS, idleMs = IDLE_MS }: ThreadOptions = {}) {
    this.#settings = settings;
    this.#idleMs = idleMs;
    this.turns = new Turns(maxThreads);
  }

  get load(): { running: number; waiting: number; threads: number } {
    return { ...this.turns.count, threads: this.#threads.size };
  }

  /** A connection whose queries take turns as queries of this account, until the signal is aborted. */
  connection(accountId: string | null, signal?: AbortSignal): DatabaseConnection {
    return {
      executeQuery: async <R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> => {
        const task = { sql, parameters: parameters.map(toSqlite) };
        const { columns, rows } = await this.#run({ account: accountId ?? '', name: sql, signal }, task);
        const convert = converterFor(columns);
        const takeBreak = takeBreaks();
        if (convert)
          for (const row of rows) {
            convert(row);
            await takeBreak();
          }
        return { rows: rows as R[] };
      },
      streamQuery: streamNothing,
    };
  }

  async searchPages(search: PageSearch): Promise<number[]> {
    const { rows } = await this.#run({ account: 'shredder', name: 'pages' }, { search });
    return rows.map(({ pgno }) => Number(pgno));
  }

  /** Copies the write-ahead log into the file, except for what is written meanwhile. */
  async copyLog(): Promise<void> {
    const turn = { account: 'log', name: 'copy' };
    const { rows } = await this.#run(turn, { log: 'most' });
    const pages = Number(rows[0]?.pages);
    if (pages <= LONG_LOG_PAGES) this.#longLogPages = LONG_LOG_PAGES;
    if (pages <= this.#longLogPages) return;
    await this.#run({ ...turn, isAlone: true }, { log: 'all' });
    // While another connection uses the log, as a backup does, it stays long: reads stop for it again only when it has doubled.
    this.#longLogPages = 2 * pages;
  }

  /** Runs work while there are no threads. Queries wait for it. */
  withoutThreads<T>(work: () => Promise<T>): Promise<T> {
    return this.turns.run({ account: '', name: '', isAlone: true }, async () => {
      await this.#endThreads();
      return work();
    });
  }

  /** Waits for the queries that run or wait, then ends the threads. */
  async close(): Promise<void> {
    // A query that was started before reaches this object some promises later.
    await new Promise(setImmediate);
    this.#isClosed = true;
    await this.turns.finish();
    await this.#endThreads();
    // The last response and the end of the thread may arrive in the same tick. The query's caller continues first.
    await new Promise(setImmediate);
  }

  async #endThreads(): Promise<void> {
    await Promise.all([...this.#threads].map((thread) => thread.finish()));
  }

  async #run(turn: Turn, task: Task): Promise<Result> {
    if (this.#isClosed) throw new Error('The storage is closed');
    return this.turns.run(turn, async () => {
      const thread = [...this.#idle].at(-1) ?? this.#startThread();
      this.#idle.delete(thread);
      try {
        return await thread.send(task);
      } finally {
        if (thread.isAlive) this.#idle.add(thread);
      }
    });
  }

  #startThread(): ReaderThread {
    const thread = new ReaderThread(this.#settings, this.#idleMs, {
      idle: () => this.#idle.delete(thread),
      ended: () => {
        this.#idle.delete(thread);
        this.#threads.delete(thread);
      },
    });
    this.#threads.add(thread);
    return thread;
  }
}

interface PendingTask {
  resolve(result: Result): void;
  reject(error: Error): void;
}

interface ThreadListeners {
  /** It was idle for long, and ends. */
  idle(): void;
  ended(): void;
}

class ReaderThread {
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  readonly #idleMs: number;
  readonly #onIdle: () => void;
  #pending: PendingTask | undefined;
  #isAlive = true;
  #isFinishing = false;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(workerData: ReaderSettings, idleMs: number, { idle, ended }: ThreadListeners) {
    this.#idleMs = idleMs;
    this.#onIdle = idle;
    this.#worker = new Worker(new URL('./heavy-reader-worker.js', import.meta.url), { workerData });
    this.#worker.on('message', (response: ReaderResponse) => this.#receive(response));
    this.#ended = new Promise((resolve) => {
      let cause: unknown;
      this.#worker.on('error', (error) => {
        cause = error;
      });
      this.#worker.on('exit', () => {
        this.#isAlive = false;
        clearTimeout(this.#idleTimer);
        this.#take()?.reject(new ThreadDied(cause));
        ended();
        resolve();
      });
    });
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  send(task: Task): Promise<Result> {
    clearTimeout(this.#idleTimer);
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject };
      // A pending request keeps the process alive. An idle thread does not.
      this.#worker.ref();
      this.#post(task);
    });
  }

  /** Does not use `terminate`: libsql aborts the whole process if that happens during a query. */
  async finish(): Promise<void> {
    this.#isFinishing = true;
    clearTimeout(this.#idleTimer);
    this.#worker.ref();
    this.#post(null);
    await this.#ended;
  }

  #post(request: ReaderRequest): void {
    this.#worker.postMessage(request);
  }

  #receive(response: ReaderResponse): void {
    const pending = this.#take();
    if (!this.#isFinishing) {
      this.#worker.unref();
      this.#idleTimer = setTimeout(() => this.#endIdle(), this.#idleMs).unref();
    }
    if ('error' in response) {
      const { message, code } = response.error;
      pending?.reject(Object.assign(new Error(message), { code }));
    } else pending?.resolve(response);
  }

  #take(): PendingTask | undefined {
    const pending = this.#pending;
    this.#pending = undefined;
    return pending;
  }

  #endIdle(): void {
    this.#onIdle();
    this.#post(null);
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
