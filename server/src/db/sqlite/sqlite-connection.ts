import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type { Database as Connection, Statement } from 'libsql';
import { type Column, converterFor, type Row, rowMakerFor, streamNothing, toSqlite } from './sqlite-kysely.ts';

/** Someone still at work when the process ends. Past this, libsql itself would abort the process. */
export class Closed extends Error {
  readonly code = 'SQLITE_MISUSE';

  constructor() {
    super('The storage is closed');
  }
}

interface Prepared {
  statement: Statement;
  /** What the driver gives for a row becomes one: asking it each time whether it gives any costs a tenth of a read. */
  toRow: ((params: unknown) => Row) | undefined;
  /** Whether the driver gives bare values. Where all columns are asked for, they may become others. */
  bare: boolean;
  /** Anything else may write. */
  selects: boolean;
}

/** Kysely's way to a connection of libsql, and a shorter one. */
export class SqliteConnection implements DatabaseConnection {
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

function toRowOf(columns: Column[], bare: boolean): (params: unknown) => Row {
  if (bare) return rowMakerFor(columns) as (params: unknown) => Row;
  const convert = converterFor(columns);
  return (params) => {
    convert?.(params as Row);
    return params as Row;
  };
}
