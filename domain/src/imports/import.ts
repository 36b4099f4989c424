import Type, { type Static } from 'typebox';
import { Id, Nullable, OneOf, OutputObject, standardFields, Text, Time, Timestamp } from '../basics/schema.ts';
import type { Millis } from '../basics/time.ts';
import type { Filter } from '../targeting/filter.ts';
import { groupOps } from '../targeting/filter.ts';
import { Filters } from '../targeting/segment.ts';

export const importKinds = ['tag_csv', 'tag_filters', 'update_csv', 'delete_csv', 'delete_filters'] as const;
export type ImportKind = (typeof importKinds)[number];
export const importModels = ['profile', 'company'] as const;
export type ImportModel = (typeof importModels)[number];
const importStates = ['started', 'completed', 'retrying', 'error'] as const;
export type ImportState = (typeof importStates)[number];
const onModelMissing = ['create', 'ignore'] as const;

export function isFileImport(kind: ImportKind): boolean {
  return kind.endsWith('_csv');
}

export function isDeleteImport(kind: ImportKind): boolean {
  return kind === 'delete_csv' || kind === 'delete_filters';
}

/** The custom property with the tags of imports: the normalized names of the imports that tagged a profile or Company. */
export const IMPORT_TAGS = 'import_tags';

/** Which column of the file sets what. Columns that are not named here are not read. */
const Mapping = OutputObject({ name: Type.String(), prop: Type.String() });
export type ImportMapping = Static<typeof Mapping>;

export const Import = OutputObject({
  ...standardFields,
  name: Type.String(),
  kind: OneOf(importKinds),
  model_kind: OneOf(importModels),
  tag_import_id: Nullable(Id),
  /** The value of `import_tags` that this import adds; null if it adds none. */
  tag: Nullable(Type.String()),
  on_model_missing: OneOf(onModelMissing),
  /** The names of the columns of the file; null if there is no file. */
  head_columns: Nullable(Type.Array(Type.String())),
  import_at: Nullable(Timestamp),
  dry_run: Type.Boolean(),
  properties: Type.Array(Mapping),
  filters: Type.Unsafe<Filter[]>({ type: 'array', items: { type: 'object' } }),
  filters_op: OneOf(groupOps),
  segment_ids: Type.Array(Id),
  segments_op: OneOf(groupOps),
  excluded_segment_ids: Type.Array(Id),
  user: Nullable(OutputObject({ id: Id, name: Type.String(), email: Type.String() })),
  stats: OutputObject({
    /** The bytes of the file; null without one. */
    data_size: Nullable(Type.Integer()),
    /** How many rows the file has, or how many records the filters have found; null if that is not known. */
    rows_count: Nullable(Type.Integer()),
    last_row: Type.Integer(),
    last_import_state: Nullable(OneOf(importStates)),
    last_import_error: Nullable(Type.String()),
    last_import_at: Nullable(Timestamp),
    /** In seconds. */
    last_import_elapsed: Nullable(Type.Number()),
    /** Whether these are the counts of a dry run, which changed nothing. */
    is_dry_run: Type.Boolean(),
    created_count: Type.Integer(),
    updated_count: Type.Integer(),
    deleted_count: Type.Integer(),
    /** Rows of records that do not exist. */
    ignored_count: Type.Integer(),
    failed_count: Type.Integer(),
  }),
});
export type Import = Static<typeof Import>;

const name = Text('the name of the import');
const properties = Type.Array(
  Type.Object({
    name: Text('the name of a column of the file'),
    prop: Text('what the column sets, such as `uid`, `email` or the key of a custom property'),
  }),
  { maxItems: 1000, description: 'a list of `{name, prop}`' },
);
const changeable = {
  tag_import_id: Type.Optional(Nullable(Id)),
  on_model_missing: Type.Optional(OneOf(onModelMissing)),
  import_at: Type.Optional(Nullable(Time)),
  dry_run: Type.Optional(Type.Boolean()),
  properties: Type.Optional(properties),
  filters: Type.Optional(Filters),
  filters_op: Type.Optional(OneOf(groupOps)),
  segment_ids: Type.Optional(Type.Array(Id, { maxItems: 100 })),
  segments_op: Type.Optional(OneOf(groupOps)),
  excluded_segment_ids: Type.Optional(Type.Array(Id, { maxItems: 100 })),
};

export const CreateImport = Type.Object({
  name,
  kind: OneOf(importKinds),
  model_kind: OneOf(importModels, { default: 'profile' }),
  ...changeable,
});
export type CreateImport = Static<typeof CreateImport>;

export const UpdateImport = Type.Object({ name: Type.Optional(name), ...changeable });
export type UpdateImport = Static<typeof UpdateImport>;

/** The first rows of the file, to look at before the import starts. */
export const ImportPreview = OutputObject({
  head_columns: Type.Array(Type.String()),
  rows: Type.Array(Type.Array(Type.String())),
  /** What the names of the columns suggest for `properties`. */
  properties: Type.Array(Mapping),
});

export type ImportPreview = Static<typeof ImportPreview>;

/** Files of imports that were not started are deleted after this time, and rows that failed after the second one. */
export const IMPORT_FILE_KEPT_MS: Millis = 7 * 24 * 60 * 60_000;
export const FAILED_ROWS_KEPT_MS: Millis = 30 * 24 * 60 * 60_000;
