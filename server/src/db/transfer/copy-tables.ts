import { tables } from '../schema.ts';
import type { Db } from '../storage.ts';
import { readTable } from './read-table.ts';
import { lockUnfinished, type UnfinishedMove, writeUnfinished } from './transfer-notes.ts';
import type { TableShape, TransferSide } from './transfer-side.ts';

/** In the order in which they can be filled: a table comes after the tables that it references. */
export const movedTables = Object.keys(tables);

/** Another `usher move` goes on with this one. */
class TakenOver extends Error {
  constructor() {
    super('another “usher move” goes on with this one');
  }
}

/**
 * Copies all tables from one database to the other. The place where the next portion begins is stored together with each
 * portion, so a process that is killed at any moment leaves what another one goes on with.
 */
export async function copyTables(
  source: TransferSide,
  target: TransferSide,
  start: UnfinishedMove,
  onRows: (table: string, rows: number) => void,
): Promise<UnfinishedMove> {
  let state = start;
  while (state.tables < movedTables.length) {
    const table = movedTables[state.tables] as string;
    const shape = await findSharedShape(source, target, table);
    for await (const { rows, after, replaced } of readTable(source, shape, state.after)) {
      const next: UnfinishedMove = {
        ...state,
        tables: state.tables + (after === null ? 1 : 0),
        after,
        rows: state.rows + rows.length,
        replaced: addUp(state.replaced, replaced),
      };
      await target.write(async (db) => {
        await requireState(db, state);
        await writeUnfinished(db, next);
        if (rows.length > 0) await target.insertRows(db, shape, rows);
      });
      state = next;
      onRows(table, state.rows);
    }
  }
  return state;
}

/** The row of the state is locked first: of two processes that go on with a move, one stops before it has written anything. */
export async function requireState(db: Db, { id, claim }: UnfinishedMove): Promise<void> {
  const found = await lockUnfinished(db);
  if (found?.id !== id || found.claim !== claim) throw new TakenOver();
}

async function findSharedShape(source: TransferSide, target: TransferSide, table: string): Promise<TableShape> {
  const [shape, other] = await Promise.all([source.describeTable(table), target.describeTable(table)]);
  const toText = ({ columns }: TableShape) =>
    columns
      .map(({ name, type }) => `${name} ${type}`)
      .sort()
      .join(', ');
  if (toText(shape) !== toText(other) || shape.key.length === 0)
    throw new Error(
      `The table ${table} differs: ${toText(shape)} in ${source.name}, ${toText(other)} in ${target.name}`,
    );
  return shape;
}

function addUp(one: Record<string, number>, other: Record<string, number>): Record<string, number> {
  const sum = { ...one };
  for (const [key, count] of Object.entries(other)) sum[key] = (sum[key] ?? 0) + count;
  return sum;
}
