import { type Filter, type Import, readFilters, timeOfId, toTimestamp } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { loadUsers } from '../../team/persons/load-users.ts';
import type { ImportRow } from '../import-files/import-rows.ts';

export async function presentImport(ctx: Context, row: ImportRow): Promise<Import> {
  const [presented] = await presentImports(ctx, [row]);
  return presented as Import;
}

export async function presentImports(ctx: Context, rows: readonly ImportRow[]): Promise<Import[]> {
  const users = await loadUsers(
    ctx,
    rows.flatMap(({ admin_id }) => admin_id ?? []),
  );
  return rows.map((row) => ({
    id: row.id,
    created_at: toTimestamp(timeOfId(row.id)),
    updated_at: toTimestamp(row.updated_at),
    name: row.name,
    kind: row.kind,
    model_kind: row.model_kind,
    tag_import_id: row.tag_import_id,
    tag: row.tag,
    on_model_missing: row.on_model_missing,
    head_columns: row.head_columns,
    import_at: timestampOf(row.import_at),
    dry_run: row.dry_run,
    // PostgreSQL reorders the keys of JSON.
    properties: row.properties.map(({ name, prop }) => ({ name, prop })),
    filters: (readFilters(row.filters, 'filters', []) as Filter[] | undefined) ?? [],
    filters_op: row.filters_op,
    segment_ids: row.segment_ids,
    segments_op: row.segments_op,
    excluded_segment_ids: row.excluded_segment_ids,
    user: (row.admin_id !== null && users.get(row.admin_id)) || null,
    stats: {
      data_size: row.data_size,
      rows_count: row.rows_count,
      last_row: row.last_row,
      last_import_state: row.state,
      last_import_error: row.error,
      last_import_at: timestampOf(row.ran_at),
      last_import_elapsed: row.elapsed_ms === null ? null : row.elapsed_ms / 1000,
      is_dry_run: row.is_dry_run,
      created_count: row.created_count,
      updated_count: row.updated_count,
      deleted_count: row.deleted_count,
      ignored_count: row.ignored_count,
      failed_count: row.failed_count,
    },
  }));
}

function timestampOf(time: number | null): string | null {
  return time === null ? null : toTimestamp(time);
}
