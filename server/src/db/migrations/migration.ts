import type { Db } from '../schema.ts';

/** The parts of the schema that the engines spell differently. */
export interface ColumnTypes {
  /** For IDs and hashes, which are compared byte by byte. */
  id: string;
  time: string;
  json: string;
  bytes: string;
  /** Returns the statements that index the values within a JSON column, if the engine can do that. */
  indexJson(table: string, column: string): string[];
  /** Returns SQL for the time in an ID, in milliseconds. */
  millisOfId(id: string): string;
  /** Returns these statements on SQLite, and none on PostgreSQL. */
  onSqlite(...statements: string[]): string[];
  /** Returns these statements on PostgreSQL, and none on SQLite. */
  onPostgres(...statements: string[]): string[];
}

/**
 * A statement, or a function for what no statement can do on both engines. A function must not use code that may change
 * later. It says what takes long.
 */
export type MigrationStep = string | ((db: Db, say: (text: string) => void) => Promise<void>);

/** Returns the steps of one migration. A table is created after the tables that it references. */
export type Migration = (types: ColumnTypes) => MigrationStep[];
