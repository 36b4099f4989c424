import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CsvReader } from '@usher/domain';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { expect, onTestFinished } from 'vitest';

type Row = Record<string, unknown>;

/** A folder of exported files, and what reads them. `npm run test:examples` reads them with a database. */
export interface Warehouse {
  folder: string;
  /** The names of the files of a table, in the order of their numbers. */
  files(table: string): string[];
  /** All rows of a table. */
  rows(table: string, format?: 'parquet' | 'csv'): Promise<Row[]>;
}

export function openWarehouse(): Warehouse {
  const folder = mkdtempSync(join(tmpdir(), 'usher-export-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const files = (table: string) =>
    readdirSync(folder)
      .filter((name) => name.startsWith(`usher-${table}-`))
      .sort();
  return {
    folder,
    files,
    rows: async (table, format = 'parquet') => {
      const rows: Row[] = [];
      for (const name of files(table).filter((name) => name.endsWith(`.${format}`)))
        rows.push(...(await readers[format](join(folder, name))));
      return rows;
    },
  };
}

/** Times are texts as in CSV, days have no time, whole numbers are BigInt, JSON is what it says. */
const parsers = {
  timestampFromMilliseconds: (time: bigint) => new Date(Number(time)).toISOString(),
  dateFromDays: (days: number) => new Date(days * 24 * 60 * 60_000).toISOString().slice(0, 10),
};

const readers = {
  parquet: async (file: string): Promise<Row[]> =>
    parquetReadObjects({ file: await asyncBufferFromFile(file), parsers }),
  csv: (file: string): Row[] => {
    const { records, problem } = new CsvReader(',').push(readFileSync(file, 'utf8'), true);
    expect(problem).toBeUndefined();
    const [head = [], ...rows] = records.map(({ cells }) => cells);
    for (const cells of rows) expect(cells).toHaveLength(head.length);
    return rows.map((cells) => Object.fromEntries(head.map((name, at) => [name, cells[at]])));
  },
};
