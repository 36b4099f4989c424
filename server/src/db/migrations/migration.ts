import type { Db } from '../schema.ts';

/** What the engines spell differently. */
export interface ColumnTypes {
  /** IDs and hashes: compared byte by byte. */
  id: string;
  time: string;
  json: string;
  /** What makes values within a JSON column quick to find, where the engine can. */
  indexJson(table: string, column: string): string[];
  /** The time that an ID holds, in milliseconds. */
  millisOfId(id: string): string;
  /** These statements on SQLite, elsewhere none. */
  onSqlite(...statements: string[]): string[];
  /** These statements on PostgreSQL, elsewhere none. */
  onPostgres(...statements: string[]): string[];
}

/** A whole statement, or what no statement can do on both engines. It uses nothing that may change after it. */
export type Step = string | ((db: Db) => Promise<void>);

/** The steps of one migration. A table is created after those it refers to. */
export type Migration = (types: ColumnTypes) => Step[];
