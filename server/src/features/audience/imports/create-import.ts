import { type CreateImport, type Import, normalizeProp } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { invalid } from '../../../errors.ts';
import type { UploadedFile } from '../../../http/route.ts';
import type { ImportRow } from '../import-files/import-rows.ts';
import { checkImport } from './check-import.ts';
import { presentImport } from './present-import.ts';
import { beforeStart, startImport } from './start-import.ts';
import { withFile } from './with-file.ts';

export async function createImport(
  ctx: Context,
  { import_at, dry_run, ...params }: CreateImport,
  files: readonly UploadedFile[],
): Promise<Import> {
  if (dry_run !== undefined && import_at == null) throw invalid('`dry_run` belongs to `import_at`, which starts it');
  const row = await withFile(ctx, params.kind, files, (file) =>
    ctx.transaction(async (ctx) => {
      const draft: ImportRow = { ...emptyImport(ctx, params), ...file };
      await checkImport(ctx, draft);
      const row = { ...draft, ...(await ctx.clock()).newRow() };
      const { properties, filters, segment_ids, excluded_segment_ids, head_columns } = row;
      await ctx.db
        .insertInto('imports')
        .values({
          ...row,
          properties: JSON.stringify(properties),
          filters: JSON.stringify(filters),
          segment_ids: JSON.stringify(segment_ids),
          excluded_segment_ids: JSON.stringify(excluded_segment_ids),
          head_columns: head_columns && JSON.stringify(head_columns),
        })
        .execute();
      return import_at == null ? row : startImport(ctx, row, import_at, dry_run);
    }),
  );
  ctx.app.importQueue.wake();
  return presentImport(ctx, row);
}

function emptyImport(ctx: Context, params: Omit<CreateImport, 'import_at' | 'dry_run'>): ImportRow {
  return {
    account_id: ctx.account.id,
    id: '',
    updated_at: ctx.now(),
    admin_id: ctx.actor.id || null,
    name: params.name,
    kind: params.kind,
    model_kind: params.model_kind,
    tag_import_id: params.tag_import_id ?? null,
    tag: null,
    on_model_missing: params.on_model_missing ?? 'create',
    properties: (params.properties ?? []).map(({ name, prop }) => ({
      name,
      prop: normalizeProp(prop, params.model_kind),
    })),
    filters: params.filters ?? [],
    filters_op: params.filters_op ?? 'and',
    segment_ids: params.segment_ids ?? [],
    segments_op: params.segments_op ?? 'and',
    excluded_segment_ids: params.excluded_segment_ids ?? [],
    import_at: null,
    dry_run: false,
    file_id: null,
    file_version: 0,
    head_columns: null,
    delimiter: null,
    data_size: null,
    rows_count: null,
    ...beforeStart,
    state: null,
    is_dry_run: false,
    ran_at: null,
    claim: null,
    claimed_at: null,
  };
}
