import { isDeleteImport, type ReadResult } from '@usher/domain';
import type { Insertable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import { ApiError, invalid } from '../../../errors.ts';
import { writeInChunks } from '../../experiences/changes/record-changes.ts';
import { deleteCompanyPart } from '../companies/delete-company.ts';
import { type ImportRow, lockImports } from '../import-files/import-rows.ts';
import { SeenValues, withPropertyRegistry } from '../properties/seen.ts';
import { applyRows, type ImportItem, type RowOutcome } from './apply-rows.ts';
import type { DryRunMemory } from './dry-run-memory.ts';
import { type ChunkCounts, lockRun, noCounts, storeProgress } from './store-progress.ts';

/** Rows that failed are stored up to this number for each import, and counted beyond it. */
const MAX_FAILED_ROWS = 10_000;

/** One row of a file, or one record that the filters found. */
export interface ChunkRow {
  record: number;
  cells: readonly string[];
  reading: ReadResult<ImportItem>;
}

export interface Chunk {
  rows: readonly ChunkRow[];
  /** Where the next chunk begins. */
  place: Parameters<typeof storeProgress>[3]['place'];
  isDone: boolean;
  began: number;
  /** What the earlier chunks of a dry run have done. */
  memory?: DryRunMemory;
  /** Leaves out what must not be changed any more. Called in the transaction. */
  confirm?: (ctx: Context, rows: readonly ChunkRow[]) => Promise<readonly ChunkRow[]>;
  /** What else the chunk stores in its transaction, unless it is of a dry run. */
  also?: (ctx: Context) => Promise<void>;
}

/** Carries the outcome of a dry run out of its transaction, which is rolled back. */
class DryRunOver extends Error {
  readonly rows: readonly ChunkRow[];
  readonly outcomes: readonly RowOutcome[];

  constructor(rows: readonly ChunkRow[], outcomes: readonly RowOutcome[]) {
    super('A dry run stores nothing');
    this.rows = rows;
    this.outcomes = outcomes;
  }
}

/**
 * Stores a chunk together with the place where the next one begins, in one transaction: whenever the process dies, no row is lost
 * or repeated. Returns whether the import is complete.
 */
export async function runChunk(ctx: Context, seen: ImportRow, chunk: Chunk): Promise<boolean> {
  if (seen.is_dry_run) return runDryChunk(ctx, seen, chunk);
  const deletes = isDeleteImport(seen.kind);
  if (deletes && seen.model_kind === 'company') return deleteCompanyRow(ctx, seen, chunk);
  // Values that wait to be written would be stored again after the deletion.
  if (deletes) await ctx.app.installationLog.flush(ctx.account.id);
  const isStored = await withPropertyRegistry(ctx, { integration: 'import' }, async (ctx, values) => {
    if (deletes) await lockImports(ctx);
    const row = await lockRun(ctx, seen);
    if (!row) return false;
    const rows = (await chunk.confirm?.(ctx, chunk.rows)) ?? chunk.rows;
    await storeOutcomes(ctx, row, chunk, rows, await applyRows(ctx, row, itemsOf(rows), values));
    await chunk.also?.(ctx);
    return true;
  });
  if (deletes) await ctx.app.deletionLog.addOf(ctx.account.id);
  return isStored && chunk.isDone;
}

async function runDryChunk(ctx: Context, seen: ImportRow, chunk: Chunk): Promise<boolean> {
  const over = await ctx
    .transaction(async (ctx) => {
      const rows = (await chunk.confirm?.(ctx, chunk.rows)) ?? chunk.rows;
      const values = new SeenValues({ integration: 'import' });
      throw new DryRunOver(rows, await applyRows(ctx, seen, itemsOf(rows), values, chunk.memory));
    })
    .catch((error: unknown) => {
      if (error instanceof DryRunOver) return error;
      throw error;
    });
  return ctx.transaction(async (ctx) => {
    const row = await lockRun(ctx, seen);
    if (!row) return false;
    await storeOutcomes(ctx, row, chunk, over.rows, over.outcomes);
    return chunk.isDone;
  });
}

/** Deletes the Company of the only row. If it has many members, this is repeated until it is gone. */
async function deleteCompanyRow(ctx: Context, seen: ImportRow, chunk: Chunk): Promise<boolean> {
  const isOver = await ctx.transaction(
    async (ctx) => {
      const row = await lockRun(ctx, seen);
      if (!row) return false;
      const rows = (await chunk.confirm?.(ctx, chunk.rows)) ?? chunk.rows;
      const items = itemsOf(rows);
      const id = await findCompanyId(ctx, items[0]);
      const gone = id === undefined || (await deleteCompanyPart(ctx, id, false)).deletion !== undefined;
      const outcomes = items.map((): RowOutcome => (id === undefined ? 'ignored' : 'deleted'));
      if (gone) {
        await storeOutcomes(ctx, row, chunk, rows, outcomes);
        await chunk.also?.(ctx);
      } else await storeProgress(ctx, row, noCounts, { place: {}, isDone: false, began: chunk.began });
      return gone;
    },
    { isLong: true },
  );
  return isOver && chunk.isDone;
}

/** Does not lock the Company: its members are locked before it. */
async function findCompanyId({ db, account }: Context, item: ImportItem | undefined): Promise<string | undefined> {
  if (!item) return undefined;
  const all = db.selectFrom('companies').select(['id', 'uid']).where('account_id', '=', account.id);
  const row = await (item.id === undefined
    ? all.where('uid', '=', item.uid ?? '')
    : all.where('id', '=', item.id)
  ).executeTakeFirst();
  return row?.id;
}

/** Counts what became of the rows, and stores the ones that failed and where the next chunk begins. */
async function storeOutcomes(
  ctx: Context,
  row: ImportRow,
  { place, isDone, began }: Chunk,
  rows: readonly ChunkRow[],
  outcomes: readonly RowOutcome[],
): Promise<void> {
  const counts: ChunkCounts = { ...noCounts, last_row: rows.length };
  const failures: Insertable<Schema['import_failures']>[] = [];
  const next = outcomes.values();
  for (const { record, cells, reading } of rows) {
    const outcome = 'value' in reading ? (next.next().value as RowOutcome) : invalid(...reading.problems);
    const isError = outcome instanceof ApiError;
    counts[`${isError ? 'failed' : outcome}_count`] += 1;
    if (!isError) continue;
    const { account } = ctx;
    const reason = outcome.messages.join('; ');
    failures.push({ account_id: account.id, import_id: row.id, record, cells: JSON.stringify(cells), reason });
  }
  const stored = failures.slice(0, Math.max(0, MAX_FAILED_ROWS - row.failed_count));
  await writeInChunks(stored, (some) => ctx.db.insertInto('import_failures').values(some).execute());
  await storeProgress(ctx, row, counts, { place, isDone, began });
}

function itemsOf(rows: readonly ChunkRow[]): ImportItem[] {
  return rows.flatMap(({ reading }) => ('value' in reading ? reading.value : []));
}
