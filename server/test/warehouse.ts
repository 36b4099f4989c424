import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { onTestFinished } from 'vitest';

type Row = Record<string, unknown>;

/** A folder of exported files, and a warehouse that reads them. */
export interface Warehouse {
  folder: string;
  /** Runs SQL of DuckDB in which `'usher-…'` names files of the folder. */
  query(sql: string): Promise<Row[]>;
  /** The names of the files of a table, in the order of their numbers. */
  files(table: string): string[];
  /** All rows of a table. */
  rows(table: string, format?: 'parquet' | 'csv'): Promise<Row[]>;
}

export async function openWarehouse(folder = newFolder()): Promise<Warehouse> {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  onTestFinished(() => {
    connection.closeSync();
    instance.closeSync();
  });
  await connection.run(`set TimeZone = 'UTC'`);
  const query = async (sql: string) => {
    const reader = await connection.runAndReadAll(sql.replaceAll(/'(usher-[^']*)'/g, `'${folder}/$1'`));
    return reader.getRowObjectsJson();
  };
  return {
    folder,
    query,
    files: (table) =>
      readdirSync(folder)
        .filter((name) => name.startsWith(`usher-${table}-`))
        .sort(),
    rows: (table, format = 'parquet') =>
      format === 'csv'
        ? query(`select * from read_csv('usher-${table}-*.csv', header = true, all_varchar = true)`)
        : query(`select * from 'usher-${table}-*.parquet'`),
  };
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'usher-export-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
