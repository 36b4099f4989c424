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
}

/** The statements of one step, each a whole one. A table is created after those it refers to. */
export type Migration = (types: ColumnTypes) => string[];
