import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import Database, { type Database as Connection, type Statement } from 'libsql';
import { streamNothing } from '../kysely-on-connection.ts';
import { type Column, converterFor, type Row, rowMakerFor, toSqlite } from './sqlite-kysely.ts';

/** How long to wait for another thread or process that has locked the file. */
export const LOCK_WAIT_MS = 4000;
const MAX_PREPARED = 2000;

/** Waits inside SQLite only now, for a process that opens or closes the file at this moment. */
export function openConnection(file: string, settings: string, timeout = LOCK_WAIT_MS): Connection {
  const connection = new Database(file, { timeout });
  try {
    connection.exec(settings);
    connection.exec('pragma busy_timeout = 0');
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** For statements that run once, without values. */
export function readRows<Row>(connection: Connection, sql: string): Row[] {
  return connection.prepare(sql).all([]) as Row[];
}

/** For requests that are still running when the process ends: libsql aborts the process if a closed connection is used. */
export class StorageClosed extends Error {
  readonly code = 'SQLITE_MISUSE';

  constructor() {
    super('The storage is closed');
  }
}

interface Prepared {
  /** For `all` or `run`. */
  statement: Statement;
  /** For `get`: after `all` or `run` of the same statement, the driver's `get` finds no row and changes nothing. */
  getter: Statement | undefined;
  /** Converts what the driver returns; undefined if the statement returns no rows. */
  toRow: ((params: unknown) => Row) | undefined;
  /** Whether the driver returns lists of values. With `*` it does not, because the columns may change. */
  isRaw: boolean;
  isSelect: boolean;
}

/** Runs SQL on a connection of libsql: for Kysely, and directly. */
export class SqliteConnection implements DatabaseConnection {
  #connection: Connection;
  #paused: { until: Promise<void>; end(): void } | undefined;
  /** Preparing a statement takes as long as running it. The SQL comes from this program only, so the number is limited. */
  readonly #prepared = new Map<string, Prepared>();

  /** Counts the statements that may have changed something. */
  changeCount = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  get isOpen(): boolean {
    return this.#paused !== undefined || this.#connection.open;
  }

  /** Until when the file is closed, if it is. */
  get paused(): Promise<void> | undefined {
    return this.#paused?.until;
  }

  /** Closes the file until `resume`. The system closes it when the statements are collected as garbage. */
  pause(): void {
    let end = () => {};
    const until = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#paused = { until, end };
    this.close();
    this.#prepared.clear();
  }

  resume(connection: Connection): void {
    this.#connection = connection;
    this.#paused?.end();
    this.#paused = undefined;
  }

  get inTransaction(): boolean {
    return this.#connection.inTransaction;
  }

  /** Runs one or more statements without values. Statements that begin, commit or use savepoints count as a change too. */
  exec(sql: string): void {
    if (!this.#connection.open) throw new StorageClosed();
    this.changeCount += 1;
    this.#connection.exec(sql);
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#paused) await this.#paused.until;
    const { statement, toRow } = this.#prepare(sql);
    const values = parameters.map(toSqlite);
    if (toRow) return { rows: statement.all(values).map(toRow) as R[] };
    const { changes } = statement.run(values);
    return { rows: [], numAffectedRows: BigInt(changes) };
  }

  /** With `firstOnly` it returns at most one row, which takes less time even if there is only one. */
  query<R>(sql: string, parameters: readonly unknown[], firstOnly = false): R[] {
    const prepared = this.#prepare(sql);
    const { statement, toRow, isRaw } = prepared;
    const values = parameters.map(toSqlite);
    if (toRow && !(firstOnly && isRaw)) return statement.all(values).map(toRow) as R[];
    const row = this.#get(prepared, sql, values);
    return toRow && row !== undefined ? [toRow(row) as R] : [];
  }

  /** Without rows, `run` takes a quarter longer, because it returns the number of changed rows. */
  #get(prepared: Prepared, sql: string, values: unknown[]): unknown {
    prepared.getter ??= prepared.isRaw ? this.#connection.prepare(sql).raw() : this.#connection.prepare(sql);
    try {
      return prepared.getter.get(values);
    } catch (error) {
      // The driver's `get` throws the same error again whatever the next values are.
      prepared.getter = undefined;
      throw error;
    }
  }

  streamQuery = streamNothing;

  close(): void {
    this.#connection.close();
  }

  #prepare(sql: string): Prepared {
    if (!this.#connection.open) throw new StorageClosed();
    const known = this.#prepared.get(sql);
    if (known) {
      if (!known.isSelect) this.changeCount += 1;
      return known;
    }
    const statement = this.#connection.prepare(sql);
    const isRaw = statement.reader && !sql.includes('*');
    if (isRaw) statement.raw();
    // Asking the driver each time whether a statement returns rows takes a tenth of the time of a read.
    const toRow = statement.reader ? toRowOf(statement.columns(), isRaw) : undefined;
    const prepared: Prepared = { statement, getter: undefined, toRow, isRaw, isSelect: sql.startsWith('select') };
    if (!prepared.isSelect) this.changeCount += 1;
    if (this.#prepared.size > MAX_PREPARED) this.#prepared.clear();
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

function toRowOf(columns: Column[], isRaw: boolean): (params: unknown) => Row {
  if (isRaw) return rowMakerFor(columns) as (params: unknown) => Row;
  const convert = converterFor(columns);
  return (params) => {
    convert?.(params as Row);
    return params as Row;
  };
}
