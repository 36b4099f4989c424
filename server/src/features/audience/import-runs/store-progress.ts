import type { Millis } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { type ImportRow, importsOf } from '../import-files/import-rows.ts';

/** What one chunk did. */
export interface ChunkCounts {
  last_row: number;
  created_count: number;
  updated_count: number;
  deleted_count: number;
  ignored_count: number;
  failed_count: number;
}

export const noCounts: Readonly<ChunkCounts> = {
  last_row: 0,
  created_count: 0,
  updated_count: 0,
  deleted_count: 0,
  ignored_count: 0,
  failed_count: 0,
};

type Place = Partial<Pick<ImportRow, 'piece' | 'record' | 'after_id' | 'last_id'>>;

/**
 * Locks the import at the beginning of the transaction of a chunk. Undefined if another worker has it now, or if it is at another
 * place: then nothing of the chunk may be stored.
 */
export async function lockRun(ctx: Context, seen: ImportRow): Promise<ImportRow | undefined> {
  const row = await ctx.dialect.lockRows(importsOf(ctx).where('id', '=', seen.id)).executeTakeFirst();
  return row && isSamePlace(row, seen) ? row : undefined;
}

function isSamePlace(row: ImportRow, seen: ImportRow): boolean {
  const keys = ['claim', 'piece', 'record', 'after_id', 'file_version'] as const;
  return keys.every((key) => row[key] === seen[key]);
}

/** Stores where the next chunk begins, in the transaction of this chunk, and renews the claim. */
export async function storeProgress(
  ctx: Context,
  row: ImportRow,
  counts: ChunkCounts,
  { place, isDone, began }: { place: Place; isDone: boolean; began: number },
): Promise<void> {
  const { account, db, now } = ctx;
  const keys = Object.keys(noCounts) as (keyof ChunkCounts)[];
  const sums = Object.fromEntries(keys.map((key) => [key, row[key] + counts[key]])) as unknown as ChunkCounts;
  await db
    .updateTable('imports')
    .set({
      ...sums,
      ...place,
      // A dry run begins again at each try, and must not do so for ever.
      ...(row.is_dry_run ? {} : { tries: 0 }),
      error: null,
      claimed_at: now(),
      elapsed_ms: (row.elapsed_ms ?? 0) + Math.round(performance.now() - began),
      ...(isDone && endOf(row, sums, now())),
    })
    .where('account_id', '=', account.id)
    .where('id', '=', row.id)
    .execute();
  if (!isDone) return;
  await db.deleteFrom('import_queue').where('account_id', '=', account.id).where('import_id', '=', row.id).execute();
}

/** After a dry run the import can be changed and started again. Otherwise nothing is left of its file. */
function endOf({ is_dry_run, rows_count }: ImportRow, { last_row }: ChunkCounts, now: Millis) {
  return {
    state: 'completed' as const,
    updated_at: now,
    claim: null,
    claimed_at: null,
    rows_count: rows_count ?? last_row,
    ...(is_dry_run ? { import_at: null } : { file_id: null }),
  };
}
