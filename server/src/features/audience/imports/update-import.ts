import { type Import, nextUpdatedAt, normalizeProp, type UpdateImport } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { conflict, invalid } from '../../../errors.ts';
import type { UploadedFile } from '../../../http/route.ts';
import { deleteFile } from '../import-files/delete-file.ts';
import type { ImportRow } from '../import-files/import-rows.ts';
import { checkImport } from './check-import.ts';
import { presentImport } from './present-import.ts';
import { getImport } from './queries.ts';
import { startImport } from './start-import.ts';
import { withFile } from './with-file.ts';

/** Changes an import that has not started, or starts it. */
export async function updateImport(
  ctx: Context,
  id: string,
  params: UpdateImport,
  files: readonly UploadedFile[],
): Promise<Import> {
  const { import_at, dry_run, ...changes } = params;
  const hasChanges = files.length > 0 || Object.keys(changes).length > 0;
  const found = await getImport(ctx, id);
  checkChangeable(ctx, found, params, hasChanges);
  if (dry_run !== undefined && import_at == null) throw invalid('`dry_run` belongs to `import_at`, which starts it');
  let replaced: string | null = null;
  const row = await withFile(ctx, found.kind, files, (file) =>
    ctx.transaction(async (ctx) => {
      const before = await getImport(ctx, id, true);
      checkChangeable(ctx, before, params, hasChanges);
      const row = hasChanges ? await storeChanges(ctx, before, changes, file) : before;
      replaced = file ? before.file_id : null;
      if (import_at === null) return unschedule(ctx, row);
      return import_at === undefined ? row : startImport(ctx, row, import_at, dry_run);
    }),
  );
  if (replaced !== null) await deleteFile(ctx, replaced);
  ctx.app.importQueue.wake();
  return presentImport(ctx, row);
}

/** What has begun stays as it is. An import that stopped with an error may be started again, and goes on where it stopped. */
function checkChangeable(ctx: Context, row: ImportRow, { import_at }: UpdateImport, hasChanges: boolean): void {
  if (row.import_at === null) return;
  const canRestart = row.state === 'error' && import_at !== undefined && import_at !== null;
  const isScheduled = row.state === null && row.claim === null && row.import_at > ctx.now();
  const canUnschedule = isScheduled && import_at === null;
  if (!hasChanges && (canRestart || canUnschedule)) return;
  throw conflict('This import has started, so it cannot be changed: create another one');
}

async function storeChanges(
  ctx: Context,
  before: ImportRow,
  { properties, ...params }: Omit<UpdateImport, 'import_at' | 'dry_run'>,
  file: object | undefined,
): Promise<ImportRow> {
  const mapped = properties?.map(({ name, prop }) => ({ name, prop: normalizeProp(prop, before.model_kind) }));
  const row: ImportRow = {
    ...before,
    ...params,
    ...(mapped && { properties: mapped }),
    ...file,
    updated_at: nextUpdatedAt(before.updated_at, ctx.now()),
  };
  await checkImport(ctx, row);
  await ctx.db
    .updateTable('imports')
    .set({
      name: row.name,
      updated_at: row.updated_at,
      tag_import_id: row.tag_import_id,
      on_model_missing: row.on_model_missing,
      properties: JSON.stringify(row.properties),
      filters: JSON.stringify(row.filters),
      filters_op: row.filters_op,
      segment_ids: JSON.stringify(row.segment_ids),
      segments_op: row.segments_op,
      excluded_segment_ids: JSON.stringify(row.excluded_segment_ids),
      file_id: row.file_id,
      head_columns: row.head_columns && JSON.stringify(row.head_columns),
      delimiter: row.delimiter,
      data_size: row.data_size,
      rows_count: row.rows_count,
    })
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', before.id)
    .execute();
  return row;
}

async function unschedule(ctx: Context, row: ImportRow): Promise<ImportRow> {
  await ctx.db
    .updateTable('imports')
    .set({ import_at: null })
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', row.id)
    .execute();
  await ctx.db
    .deleteFrom('import_queue')
    .where('account_id', '=', ctx.account.id)
    .where('import_id', '=', row.id)
    .execute();
  return { ...row, import_at: null };
}
