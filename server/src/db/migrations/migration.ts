/** Column types that the engines spell differently. */
export interface ColumnTypes {
  /** IDs and hashes: compared byte by byte. */
  id: string;
  time: string;
  json: string;
}

/** The statements of one step, each a whole one. A table is created after those it refers to. */
export type Migration = (types: ColumnTypes) => string[];
