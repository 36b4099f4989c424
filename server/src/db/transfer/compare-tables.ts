import { hash } from 'node:crypto';
import { movedTables } from './copy-tables.ts';
import { readTable } from './read-table.ts';
import type { TableShape, TransferSide } from './transfer-side.ts';

export interface ComparedTable {
  table: string;
  rows: number;
  otherRows: number;
  isEqual: boolean;
}

/**
 * Reads all tables of both databases again, and compares how many rows there are and a hash of their canonical values. The
 * hash of a table does not depend on the order of its rows: engines order some texts differently.
 */
export async function compareTables(
  source: TransferSide,
  target: TransferSide,
  onRows: (table: string, rows: number) => void,
): Promise<ComparedTable[]> {
  const compared: ComparedTable[] = [];
  let before = 0;
  for (const table of movedTables) {
    const shape = await source.describeTable(table);
    const inOrder = { ...shape, columns: [...shape.columns].sort((one, other) => (one.name < other.name ? -1 : 1)) };
    const from = before;
    const [one, other] = await Promise.all([
      hashTable(source, inOrder, (rows) => onRows(table, from + rows)),
      hashTable(target, inOrder, () => {}),
    ]);
    before += one.rows;
    // The rows were read in portions, by their keys. Counting them does not depend on the keys.
    const isWhole = table === 'installation' || (await source.countRows(table)) === one.rows;
    const isEqual = isWhole && one.rows === other.rows && one.sum.equals(other.sum);
    compared.push({ table, rows: one.rows, otherRows: other.rows, isEqual });
  }
  return compared;
}

interface TableHash {
  rows: number;
  sum: Buffer;
}

async function hashTable(side: TransferSide, shape: TableShape, onRows: (rows: number) => void): Promise<TableHash> {
  const sum = Buffer.alloc(32);
  let count = 0;
  for await (const { rows } of readTable(side, shape)) {
    for (const row of rows) {
      const digest = hash('sha256', JSON.stringify(row), 'buffer');
      for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] as number) ^ (digest[at] as number);
    }
    count += rows.length;
    onRows(count);
  }
  return { rows: count, sum };
}
