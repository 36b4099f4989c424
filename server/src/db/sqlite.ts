import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import Database, { type Database as Connection, type Statement } from 'libsql';
import { AccountGuard } from './account-guard.ts';
import { applyMigrations } from './migrate.ts';
import type { ColumnTypes } from './migrations/migration.ts';
import type { Schema } from './schema.ts';
import type { Db, Storage } from './storage.ts';

const types: ColumnTypes = { id: 'text', time: 'integer', json: 'jsontext' };
const LOCK_WAIT_MS = 4000;
const MOST_IN_ONE_COMMIT = 1000;
const awayCodes =
  /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|PERM|AUTH|NOTADB|CORRUPT|PROTOCOL|NOMEM|INTERRUPT)/;

/**
 * SQLite in one file. Two connections: one reads what is committed, one writes. Writes that arrive together share one
 * transaction, each in a savepoint of its own, and all are answered after its commit.
 */
export function openSqlite(file: string): Storage {
  mkdirSync(dirname(file), { recursive: true });
  const write = connect(file, 'pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on');
  const read = connect(file, 'pragma query_only = on');

  const writer = kyselyOn(write);
  const reader = kyselyOn(read);
  const commits = new GroupCommit(write);

  return {
    engine: 'sqlite',
    reader: (accountId) => reader.withPlugin(new AccountGuard(accountId)),
    write: (accountId, work) => commits.run(() => work(writer.withPlugin(new AccountGuard(accountId)))),
    lockRows: (query) => query,
    isAway: (error) => awayCodes.test(String((error as { code?: unknown } | null)?.code ?? '')),
    migrate: () =>
      commits.run(async () => {
        write.exec('create table if not exists migrations (name text primary key)');
        await applyMigrations(writer, types);
      }),
    dumpSchema: async () => {
      const rows = read
        .prepare("select sql from sqlite_schema where sql is not null and name not like 'sqlite_%' order by name")
        .all();
      return rows
        .map((row) => `${(row as { sql: string }).sql.replace(/\n {6}/g, '\n  ').replace(/\n {4}/g, '\n')};\n`)
        .join('\n');
    },
    close: async () => {
      await commits.finish();
      read.close();
      write.close();
    },
  };
}

/** Waits inside SQLite for a process that opens or closes the file at this moment, and later never again. */
function connect(file: string, settings: string): Connection {
  const connection = new Database(file, { timeout: LOCK_WAIT_MS });
  connection.exec(settings);
  connection.exec('pragma busy_timeout = 0');
  return connection;
}

interface Work {
  run(): Promise<void>;
  committed(): void;
  lost(error: unknown): void;
}

/** Collects writes while one commit is under way and takes them all into the next. */
class GroupCommit {
  readonly #connection: Connection;
  #waiting: Work[] = [];
  #running: Promise<void> | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let settle: () => void;
      this.#waiting.push({
        run: async () => {
          this.#connection.exec('savepoint work');
          try {
            const value = await work();
            this.#connection.exec('release work');
            settle = () => resolve(value);
          } catch (error) {
            // A full disk ends the whole transaction by itself: then there is no savepoint left to go back to.
            if (!this.#connection.inTransaction) throw error;
            this.#connection.exec('rollback to work; release work');
            settle = () => reject(error);
          }
        },
        committed: () => settle(),
        lost: reject,
      });
      this.#running ??= this.#drain();
    });
  }

  async finish(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #drain(): Promise<void> {
    // One turn of the event loop: the requests that arrived together are read by then.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      await this.#commit(this.#waiting.splice(0, MOST_IN_ONE_COMMIT));
      await new Promise(setImmediate);
    }
    this.#running = undefined;
  }

  async #commit(works: Work[]): Promise<void> {
    try {
      await this.#begin();
      for (const work of works) await work.run();
      this.#connection.exec('commit');
    } catch (error) {
      for (const work of works) work.lost(error);
      this.#rollback();
      return;
    }
    for (const work of works) work.committed();
  }

  /** On a broken disk even this can fail. Then it is tried again before the next write, which is refused until it works. */
  #rollback(): void {
    try {
      if (this.#connection.inTransaction) this.#connection.exec('rollback');
    } catch {}
  }

  /** Another process may hold the lock for a moment; waiting inside SQLite would stop every request. */
  async #begin(): Promise<void> {
    const until = Date.now() + LOCK_WAIT_MS;
    this.#rollback();
    for (;;) {
      try {
        this.#connection.exec('begin immediate');
        return;
      } catch (error) {
        if (!isBusy(error) || Date.now() > until) throw error;
        await pause(5);
      }
    }
  }
}

function isBusy(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY');
}

function kyselyOn(connection: Connection): Db {
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new SqliteDriver(connection),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

class SqliteDriver implements Driver {
  readonly #connection: DatabaseConnection;

  constructor(connection: Connection) {
    this.#connection = new SqliteConnection(connection);
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }
  async releaseConnection(): Promise<void> {}
  async beginTransaction(): Promise<void> {
    throw new Error('Transactions are opened by Storage.write');
  }
  async commitTransaction(): Promise<void> {}
  async rollbackTransaction(): Promise<void> {}
  async destroy(): Promise<void> {}
}

type Convert = (row: Record<string, unknown>) => void;

interface Prepared {
  statement: Statement;
  /** Whether it gives rows: asking the driver each time costs as much as a tenth of a read. */
  reads: boolean;
  convert: Convert | undefined;
}

class SqliteConnection implements DatabaseConnection {
  readonly #connection: Connection;
  /** Preparing costs as much as running. The texts are the program's own, so there are only so many. */
  readonly #prepared = new Map<string, Prepared>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { statement, reads, convert } = this.#prepare(sql);
    const values = parameters.map(toSqlite);
    if (!reads) {
      const { changes } = statement.run(values);
      return { rows: [], numAffectedRows: BigInt(changes) };
    }
    const rows = statement.all(values) as Record<string, unknown>[];
    if (convert) for (const row of rows) convert(row);
    return { rows: rows as R[] };
  }

  // biome-ignore lint/correctness/useYield: part of the interface; nothing streams yet
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('Streaming is not available on SQLite');
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql);
    if (known) return known;
    const statement = this.#connection.prepare(sql);
    const reads = statement.reader;
    const prepared = { statement, reads, convert: reads ? converterFor(statement) : undefined };
    if (this.#prepared.size > 2000) this.#prepared.clear();
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

/** Columns come back by their declared type: JSON parsed, booleans as booleans. */
function converterFor(statement: Statement): Convert | undefined {
  const columns = statement.columns().map(({ name, type }) => ({ name, type: type?.toLowerCase() }));
  const json = columns.filter((column) => column.type === 'jsontext').map((column) => column.name);
  const booleans = columns.filter((column) => column.type === 'boolean').map((column) => column.name);
  if (json.length === 0 && booleans.length === 0) return undefined;
  return (row) => {
    for (const name of json) if (typeof row[name] === 'string') row[name] = JSON.parse(row[name]);
    for (const name of booleans) if (row[name] !== null) row[name] = row[name] === 1;
  };
}

/** The driver ends the process on a value it does not know, so only what it knows may reach it. */
function toSqlite(value: unknown): string | number | bigint | Buffer | null {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
    return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (Buffer.isBuffer(value)) return value;
  throw new TypeError(`A ${typeof value} cannot be stored`);
}
