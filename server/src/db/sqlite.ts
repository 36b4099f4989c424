import { closeSync, fdatasync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely';
import Database, { type Database as Connection, type Statement } from 'libsql';
import { guarded } from './account-guard.ts';
import { sqliteJson } from './json.ts';
import { lookUpOnSqlite, upsertOnSqlite } from './many-rows.ts';
import { applyMigrations } from './migrate.ts';
import type { ColumnTypes } from './migrations/migration.ts';
import { outboxOn } from './outbox.ts';
import { Precedence } from './precedence.ts';
import { tables } from './schema.ts';
import { SharedWrites } from './shared-write.ts';
import {
  type Column,
  converterFor,
  kyselyOn,
  type Row,
  rowMakerFor,
  streamNothing,
  toSqlite,
} from './sqlite-kysely.ts';
import { ThreadedReader } from './sqlite-reader.ts';
import { Shredder } from './sqlite-shred.ts';
import type { Db, Storage } from './storage.ts';

const syncFile = promisify(fdatasync);
const types: ColumnTypes = {
  id: 'text',
  time: 'integer',
  json: 'jsontext',
  indexJson: () => [],
  onSqlite: (...all) => all,
};
const LOCK_WAIT_MS = 4000;
/** A heavy read can hold on to the log for some seconds. */
const LOG_WAIT_MS = 60_000;
const LARGE_ACCOUNT = 1_000_000;
const MOST_IN_ONE_COMMIT = 1000;
/** That a commit is put off for more to join it. */
const MOST_TURNS = 4;
/** How long the log is written before it is copied into the file. */
const LOG_MS = 100;
/** 64 MB: only when the thread is busy for long does the log become as long, and is then copied by the writer. */
const LONGEST_LOG_PAGES = 16_384;
const awayCodes =
  /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|PERM|AUTH|NOTADB|CORRUPT|PROTOCOL|NOMEM|INTERRUPT)/;

/**
 * SQLite in one file. Two connections: one reads what is committed, one writes; a third, for reads that take long, in a
 * thread of its own. Writes that arrive together share one transaction, and all are answered after its commit.
 */
export function openSqlite(file: string, precedenceOfFirst?: SharedArrayBuffer): Storage {
  mkdirSync(dirname(file), { recursive: true });
  const write = connect(
    file,
    `pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma secure_delete = on;
     pragma wal_autocheckpoint = ${LONGEST_LOG_PAGES}`,
  );
  const read = connect(file, 'pragma query_only = on');
  // Only the first has it open, and longer than anything else: the system takes all locks of a process on a file away as
  // soon as the process closes that file once.
  const disk = precedenceOfFirst ? undefined : openSync(file, 'r+');
  const heavy = new ThreadedReader({ file, lockWaitMs: LOCK_WAIT_MS });

  const writing = new SqliteConnection(write);
  const reading = new SqliteConnection(read);
  const writer = kyselyOn(writing);
  const reader = kyselyOn(reading);
  const heavyReader = kyselyOn(heavy);
  const connections = new WeakMap<Db, SqliteConnection>();
  const writerOf = guarded(writer, (db) => connections.set(db, writing));
  const readerOf = guarded(reader, (db) => connections.set(db, reading));
  const precedence = new Precedence(precedenceOfFirst);
  const commits = new GroupCommit(
    write,
    () => writing.written,
    // SQLite itself sees to the disk only when it has copied all, and that does the writer, who would wait for it.
    () => heavy.copyLog().then(() => (disk === undefined ? undefined : syncFile(disk))),
    precedence,
  );
  const shredder = new Shredder({
    write,
    inTransaction: (work) => commits.run(work, 'savepoint'),
    searchPages: (search) => heavy.searchPages(search),
    emptyLog: () => emptyLog(file),
  });

  const sharedWrites = new SharedWrites(
    (accountId, work) => commits.run(() => work(writerOf(accountId)), 'nothing'),
    () => commits.noteJoined(),
  );

  const storage: Storage = {
    engine: 'sqlite',
    reader: readerOf,
    heavyReader: guarded(heavyReader),
    write: (accountId, work) => commits.run(() => work(writerOf(accountId)), 'transaction'),
    writeShared: (accountId, write, item) => sharedWrites.write(storage, accountId, write, item) as never,
    // Past Kysely, which takes longer for a query than SQLite itself.
    runText: <Row>(db: Db, sql: string, values: readonly unknown[], one: boolean) =>
      connections.get(db)?.rows<Row>(sql, values, one) ??
      db.executeQuery<Row>(CompiledQuery.raw(sql, [...values])).then(({ rows }) => rows),
    lockRows: (query) => query,
    keepRows: (query) => query,
    // One writes at a time: nobody ever meets rows that another holds.
    lockFreeRows: (query) => query,
    noWait: (query) => query,
    holdJoined: (query) => query,
    isHeld: () => false,
    json: sqliteJson,
    lookUp: lookUpOnSqlite,
    upsert: upsertOnSqlite,
    rowsAtOnce: 200,
    shred: (traces) => shredder.shred(traces),
    isAway: (error) => awayCodes.test(String((error as { code?: unknown } | null)?.code ?? '')),
    outbox: outboxOn(reader, heavyReader),
    address: { sqliteFile: file, precedence: precedence.shared },
    migrate: async () => {
      await commits.run(async () => {
        write.exec('create table if not exists migrations (name text primary key)');
        await applyMigrations(writer, types);
        describeSizes(write);
      }, 'savepoint');
      // Both have looked at the schema before the sizes were there. Others may be starting too: they are waited for.
      for (const connection of [write, read])
        connection.exec(
          `pragma busy_timeout = ${LOCK_WAIT_MS}; pragma query_only = off; analyze sqlite_schema; pragma busy_timeout = 0`,
        );
      read.exec('pragma query_only = on');
    },
    dumpSchema: async () => {
      const rows = read
        .prepare("select sql from sqlite_schema where sql is not null and name not like 'sqlite_%' order by name")
        .all();
      return rows
        .map((row) => `${(row as { sql: string }).sql.replace(/\n {6}/g, '\n  ').replace(/\n {4}/g, '\n')};\n`)
        .join('\n');
    },
    close: async () => {
      await heavy.close();
      // Last, so that nothing begins in between.
      await commits.finish();
      read.close();
      write.close();
      if (disk !== undefined) closeSync(disk);
    },
  };
  return storage;
}

/** Waits inside SQLite for a process that opens or closes the file at this moment, and later never again. */
function connect(file: string, settings: string): Connection {
  const connection = new Database(file, { timeout: LOCK_WAIT_MS });
  connection.exec(settings);
  connection.exec('pragma busy_timeout = 0');
  return connection;
}

/**
 * What was overwritten in the file is still in the log beside it, until nobody reads from it. Whoever waited in vain
 * gets 503: the rows are gone, and the next deletion takes the rest along.
 */
async function emptyLog(file: string): Promise<void> {
  const connection = connect(file, '');
  try {
    for (const until = Date.now() + LOG_WAIT_MS; ; await pause(5)) {
      const { busy } = connection.prepare('pragma wal_checkpoint(truncate)').get([]) as { busy: number };
      if (busy === 0) return;
      if (Date.now() > until) throw Object.assign(new Error('The log stays in use'), { code: 'SQLITE_BUSY' });
    }
  } finally {
    connection.close();
  }
}

/**
 * Not knowing better, SQLite takes an account for ten rows, and reads the whole of a large one rather than look up a
 * hundred by their key. So it is told that accounts are large, and how far each index narrows one down.
 */
function describeSizes(connection: Connection): void {
  connection.exec('analyze migrations; delete from sqlite_stat1');
  const note = connection.prepare('insert into sqlite_stat1 (tbl, idx, stat) values (?, ?, ?)');
  for (const [table, kind] of Object.entries(tables)) {
    if (kind !== 'tenant') continue;
    const indices = connection.prepare('select name, "unique" from pragma_index_list(?)').all([table]);
    for (const { name, unique } of indices as { name: string; unique: number }[]) {
      const columns = connection.prepare('select name from pragma_index_info(?)').all([name]);
      const narrowed = columns.slice(1).map((_, at) => (unique === 1 && at === columns.length - 2 ? 1 : 20));
      note.run([table, name, [LARGE_ACCOUNT, LARGE_ACCOUNT, ...narrowed].join(' ')]);
    }
  }
}

/** Someone still at work when the process ends. Past this, libsql itself would abort the process. */
class Closed extends Error {
  readonly code = 'SQLITE_MISUSE';

  constructor() {
    super('The storage is closed');
  }
}

/** A work failed after it had written, and nothing but the transaction can undo that. */
class HalfDone extends Error {}

interface Work {
  /** Alone in its transaction, beside others, or beside others in a savepoint of its own. Throws when all is to be undone. */
  run(how: 'alone' | 'beside' | 'apart'): Promise<void>;
  committed(): void;
  lost(error: unknown): void;
}

/**
 * Collects writes while one commit is under way and takes them all into the next.
 *
 * What is committed lies in a log first. Left to itself, SQLite copies it into the file at the end of whichever commit
 * makes the log long, and every request waits 5 to 12 ms for that. So a thread copies it meanwhile, and the writer only
 * the rest that came since then: a log that is copied to its end begins anew.
 */
class GroupCommit {
  readonly #connection: Connection;
  readonly #written: () => number;
  readonly #copyLog: () => Promise<unknown>;
  readonly #precedence: Precedence;
  #waiting: Work[] = [];
  #arrived = 0;
  #running: Promise<void> | undefined;
  #log: 'copied' | 'written' | 'nearly copied' = 'copied';

  constructor(connection: Connection, written: () => number, copyLog: () => Promise<unknown>, precedence: Precedence) {
    this.#connection = connection;
    this.#written = written;
    this.#copyLog = copyLog;
    this.#precedence = precedence;
  }

  /**
   * The work, and what undoes it when it fails: a savepoint, where it writes past what counts as written; the whole
   * transaction, and then all works of it are run again; or nothing, for a single statement, which changes nothing then.
   */
  run<T>(work: () => Promise<T>, undo: 'savepoint' | 'transaction' | 'nothing'): Promise<T> {
    if (!this.#connection.open) return Promise.reject(new Closed());
    this.#arrived++;
    return new Promise((resolve, reject) => {
      let settle: () => void;
      this.#waiting.push({
        run: async (how) => {
          const within = undo === 'savepoint' ? how !== 'alone' : undo === 'transaction' && how === 'apart';
          const before = this.#written();
          if (within) this.#connection.exec('savepoint work');
          try {
            const value = await work();
            if (within) this.#connection.exec('release work');
            settle = () => resolve(value);
          } catch (error) {
            // A full disk ends the whole transaction by itself: then there is no savepoint left to go back to.
            if (!this.#connection.inTransaction) throw error;
            if (how === 'alone') this.#connection.exec('rollback');
            else if (within) this.#connection.exec('rollback to work; release work');
            else if (undo === 'transaction' && this.#written() !== before) throw new HalfDone();
            settle = () => reject(error);
          }
        },
        committed: () => settle(),
        lost: reject,
      });
      this.#running ??= this.#drain();
    });
  }

  /** Something is done by a work that waits. */
  noteJoined(): void {
    this.#arrived++;
  }

  async finish(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #drain(): Promise<void> {
    this.#precedence.enter();
    await this.#gather();
    while (this.#waiting.length > 0) {
      this.#precedence.enter();
      await this.#commit(this.#waiting.splice(0, MOST_IN_ONE_COMMIT));
      if (this.#waiting.length === 0) this.#precedence.leave();
      await this.#gather();
    }
    this.#running = undefined;
  }

  /**
   * One turn of the event loop: the requests that arrived together are read by then. While each turn brings more, another:
   * whoever waits for it waits no longer than for a commit in between, and a commit costs much the same for few and for many.
   */
  async #gather(): Promise<void> {
    for (let turn = 0, before = -1; turn < MOST_TURNS && this.#arrived > before; turn++) {
      before = this.#arrived;
      await new Promise(setImmediate);
    }
  }

  async #commit(works: Work[]): Promise<void> {
    try {
      if (this.#log === 'nearly copied') this.#endLog();
      await this.#begin();
      await this.#runAll(works);
      if (this.#connection.inTransaction) this.#connection.exec('commit');
    } catch (error) {
      for (const work of works) work.lost(error);
      this.#rollback();
      return;
    }
    for (const work of works) work.committed();
    if (this.#log === 'copied') this.#startLog();
  }

  /**
   * In a savepoint, SQLite keeps every page that is changed, which takes as long as the changes; and hardly any work
   * fails after it has written. So they are run without, and again with savepoints only when one did.
   */
  async #runAll(works: Work[]): Promise<void> {
    try {
      for (const work of works) await work.run(works.length === 1 ? 'alone' : 'beside');
    } catch (error) {
      if (!(error instanceof HalfDone)) throw error;
      await this.#begin();
      for (const work of works) await work.run('apart');
    }
  }

  #startLog(): void {
    this.#log = 'written';
    setTimeout(() => {
      // When the thread cannot, the writer copies all of it.
      const done = () => {
        this.#log = 'nearly copied';
      };
      if (this.#connection.open) this.#copyLog().then(done, done);
    }, LOG_MS).unref();
  }

  #endLog(): void {
    this.#log = 'copied';
    // Then much came since. It is for a thread to copy.
    if (this.#precedence.secondWrote()) return;
    this.#connection.prepare('pragma wal_checkpoint(passive)').get([]);
  }

  /** On a broken disk even this can fail. Then it is tried again before the next write, which is refused until it works. */
  #rollback(): void {
    try {
      if (this.#connection.inTransaction) this.#connection.exec('rollback');
    } catch {}
  }

  /** Another thread or process may hold the lock for a moment; waiting inside SQLite would stop every request. */
  async #begin(): Promise<void> {
    const until = Date.now() + LOCK_WAIT_MS;
    this.#rollback();
    for (;;) {
      try {
        this.#connection.exec('begin immediate');
        return;
      } catch (error) {
        if (!isBusy(error) || Date.now() > until) throw error;
        await this.#precedence.wait();
      }
    }
  }
}

function isBusy(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY');
}

interface Prepared {
  statement: Statement;
  /** What the driver gives for a row becomes one: asking it each time whether it gives any costs a tenth of a read. */
  toRow: ((given: unknown) => Row) | undefined;
  /** Whether the driver gives bare values. Where all columns are asked for, they may become others. */
  bare: boolean;
  /** Anything else may write. */
  selects: boolean;
}

class SqliteConnection implements DatabaseConnection {
  readonly #connection: Connection;
  /** Preparing costs as much as running. The texts are the program's own, so there are only so many. */
  readonly #prepared = new Map<string, Prepared>();

  /** How many statements may have written. */
  written = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { statement, toRow } = this.#prepare(sql);
    const values = parameters.map(toSqlite);
    if (toRow) return { rows: statement.all(values).map(toRow) as R[] };
    const { changes } = statement.run(values);
    return { rows: [], numAffectedRows: BigInt(changes) };
  }

  /** At once. The first row costs less than all, also where there is only one. */
  rows<R>(sql: string, parameters: readonly unknown[], one = false): R[] {
    const { statement, toRow, bare } = this.#prepare(sql);
    const values = parameters.map(toSqlite);
    if (!toRow) {
      // Not by `run`, which takes a quarter longer for telling how many rows it wrote.
      statement.get(values);
      return [];
    }
    if (!one || !bare) return statement.all(values).map(toRow) as R[];
    const row = statement.get(values);
    return row === undefined ? [] : [toRow(row) as R];
  }

  streamQuery = streamNothing;

  #prepare(sql: string): Prepared {
    if (!this.#connection.open) throw new Closed();
    const known = this.#prepared.get(sql);
    if (known) {
      if (!known.selects) this.written += 1;
      return known;
    }
    const statement = this.#connection.prepare(sql);
    const bare = statement.reader && !sql.includes('*');
    if (bare) statement.raw();
    const toRow = statement.reader ? toRowOf(statement.columns(), bare) : undefined;
    const prepared = { statement, toRow, bare, selects: sql.startsWith('select') };
    this.written += 1;
    if (this.#prepared.size > 2000) this.#prepared.clear();
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

function toRowOf(columns: Column[], bare: boolean): (given: unknown) => Row {
  if (bare) return rowMakerFor(columns) as (given: unknown) => Row;
  const convert = converterFor(columns);
  return (given) => {
    convert?.(given as Row);
    return given as Row;
  };
}
