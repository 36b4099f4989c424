import { findMappingProblems, findStartProblems, isFileImport, readCompanyFilters, toImportTag } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { invalid } from '../../../errors.ts';
import type { ImportRow } from '../import-files/import-rows.ts';
import { buildImportCondition } from '../import-files/select-records.ts';
import { getImport } from './queries.ts';

/** Rejects an import whose parameters do not fit its kind, its file, or each other. */
export async function checkImport(ctx: Context, row: ImportRow): Promise<void> {
  const { kind, model_kind, properties, head_columns, filters, segment_ids, excluded_segment_ids } = row;
  const problems = findMappingProblems(properties, model_kind, head_columns);
  const isByFile = isFileImport(kind);
  const hasSegments = segment_ids.length + excluded_segment_ids.length > 0;
  if (isByFile && (filters.length > 0 || hasSegments))
    problems.push(`\`filters\` and Segments are for imports of the kinds \`tag_filters\` and \`delete_filters\``);
  if (!isByFile && properties.length > 0) problems.push('`properties` are for imports of a file');
  if (model_kind === 'company' && hasSegments)
    problems.push('`segment_ids` select profiles: give `filters` to select Companies');
  if (model_kind === 'company') readCompanyFilters(filters, 'filters', problems);
  if (problems.length > 0) throw invalid(...problems);
  if (!isByFile) await buildImportCondition(ctx, row);
  await findTag(ctx, row);
}

/** Rejects the start of an import that misses something. */
export function checkStart({ kind, model_kind, on_model_missing, properties, ...row }: ImportRow): void {
  const problems: string[] = [];
  if (isFileImport(kind)) {
    if (row.file_id === null) problems.push('`file` is needed before `import_at`: upload a CSV file');
    problems.push(...findStartProblems(kind, model_kind, on_model_missing, properties));
  } else if (row.filters.length + row.segment_ids.length === 0)
    problems.push(
      '`filters` or `segment_ids` are needed before `import_at`: without them the import would reach everybody',
    );
  if (problems.length > 0) throw invalid(...problems);
}

/** What a tag import adds to the tags: that of `tag_import_id`, or its own. Null for other kinds. */
export async function findTag(ctx: Context, row: ImportRow): Promise<string | null> {
  const { kind, model_kind, tag_import_id } = row;
  const tags = kind.startsWith('tag_');
  if (tag_import_id === null) return tags ? toImportTag(row) : null;
  if (!tags) throw invalid('`tag_import_id` is for imports of the kinds `tag_csv` and `tag_filters`');
  const other = await getImport(ctx, tag_import_id);
  if (!other.kind.startsWith('tag_') || other.model_kind !== model_kind)
    throw invalid(`\`tag_import_id\` must be an import that tags a ${model_kind} too`);
  return other.tag ?? toImportTag(other);
}
