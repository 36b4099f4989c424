import { foundation } from './0001-foundation.ts';

/** Column types that the engines spell differently. */
export interface ColumnTypes {
  /** IDs and hashes: compared byte by byte. */
  id: string;
  time: string;
  json: string;
}

/** The statements of one step, each a whole one. A table is created after those it refers to. */
export type Migration = (types: ColumnTypes) => string[];

/** Forward only: a migration that has landed is never edited, the next one is added below it. */
export const migrations: Record<string, Migration> = {
  '0001-foundation': foundation,
};
