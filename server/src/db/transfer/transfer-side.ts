import type { Engine } from '@usher/domain';
import type { Db } from '../storage.ts';
import type { CanonicalValue, ColumnType } from './canonical.ts';

export interface TransferColumn {
  name: string;
  type: ColumnType;
}

export interface TableShape {
  table: string;
  columns: readonly TransferColumn[];
  /** The primary key, in its order. */
  key: readonly TransferColumn[];
}

export type CanonicalRow = readonly CanonicalValue[];

/** Where rows are read, and in what order and portions. */
interface Portion {
  /** The key of the last row before. */
  after: CanonicalRow | null;
  limit: number;
}

/** One of the two databases of a move. */
export interface TransferSide {
  readonly engine: Engine;
  /** How the place is called in messages: no password is in it. */
  readonly name: string;
  readonly db: Db;
  describeTable(table: string): Promise<TableShape>;
  countRows(table: string): Promise<number>;
  /** Reads rows in the order of their key. `onReplaced` is called for each value that has to change on the way. */
  readRows(shape: TableShape, portion: Portion, onReplaced: (column: string) => void): Promise<CanonicalRow[]>;
  insertRows(db: Db, shape: TableShape, rows: readonly CanonicalRow[]): Promise<void>;
  write<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** The tables and views that are there, of whatever program. */
  listTables(): Promise<string[]>;
  /** What is done when all rows are there. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

/** Returns the values of the key of a row. */
export function keyOf({ columns, key }: TableShape, row: CanonicalRow): CanonicalRow {
  return key.map(({ name }) => row[columns.findIndex((column) => column.name === name)] ?? null);
}
