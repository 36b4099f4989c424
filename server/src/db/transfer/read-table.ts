import { notesOfOneDatabase } from './transfer-notes.ts';
import { type CanonicalRow, keyOf, type TableShape, type TransferSide } from './transfer-side.ts';

/** A portion has about so many characters, so that it takes little memory and a moment, also where rows are pictures. */
const PORTION_CHARACTERS = 2_000_000;
const FIRST_ROWS = 50;
const MAX_ROWS = 5000;

interface ReadPortion {
  rows: readonly CanonicalRow[];
  /** The key of the last row; null if there are no more rows. */
  after: CanonicalRow | null;
  /** How many values of each column were replaced. */
  replaced: Record<string, number>;
}

/** Reads a table in the order of its key, in portions. The next portion is read while one is in use. */
export async function* readTable(
  side: TransferSide,
  shape: TableShape,
  start: CanonicalRow | null = null,
): AsyncGenerator<ReadPortion> {
  const read = async (after: CanonicalRow | null, limit: number): Promise<ReadPortion> => {
    const replaced: Record<string, number> = {};
    const rows = await side.readRows(shape, { after, limit }, (column) => {
      const place = `${shape.table}.${column}`;
      replaced[place] = (replaced[place] ?? 0) + 1;
    });
    const last = rows.at(-1);
    const isLast = rows.length < limit;
    return {
      rows: rows.filter((row) => isMoved(shape, row)),
      after: isLast || !last ? null : keyOf(shape, last),
      replaced,
    };
  };
  let limit = FIRST_ROWS;
  let portion = await read(start, limit);
  while (portion.after !== null) {
    limit = nextLimit(portion.rows);
    const next = read(portion.after, limit);
    // If the use of this portion fails, nothing waits for the next one.
    next.catch(() => {});
    yield portion;
    portion = await next;
  }
  yield portion;
}

function nextLimit(rows: readonly CanonicalRow[]): number {
  const characters = rows.reduce((sum, row) => sum + row.reduce((all, value) => all + (value?.length ?? 0), 0), 0);
  const perRow = characters / Math.max(1, rows.length);
  return Math.max(1, Math.min(MAX_ROWS, Math.floor(PORTION_CHARACTERS / Math.max(1, perRow))));
}

function isMoved({ table, columns }: TableShape, row: CanonicalRow): boolean {
  if (table !== 'installation') return true;
  const name = row[columns.findIndex((column) => column.name === 'name')];
  return !notesOfOneDatabase.includes(name ?? '');
}
