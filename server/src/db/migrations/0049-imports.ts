import type { ColumnTypes } from './migration.ts';

/**
 * Imports, their files in pieces of whole rows, and the rows that failed. The queue has the imports that are to run, of all
 * accounts: a worker must not ask each account every other second.
 */
export function imports({ id, time, json, bytes }: ColumnTypes): string[] {
  return [
    `create table imports (
      account_id ${id} not null,
      id ${id} not null,
      updated_at ${time} not null,
      admin_id ${id},
      name text not null,
      kind text not null,
      model_kind text not null,
      tag_import_id ${id},
      tag text,
      on_model_missing text not null,
      properties ${json} not null,
      filters ${json} not null,
      filters_op text not null,
      segment_ids ${json} not null,
      segments_op text not null,
      excluded_segment_ids ${json} not null,
      import_at ${time},
      dry_run boolean not null,
      file_id ${id},
      file_version integer not null,
      head_columns ${json},
      delimiter text,
      data_size bigint,
      rows_count bigint,
      piece integer not null,
      record integer not null,
      after_id ${id} not null,
      last_id ${id},
      last_row bigint not null,
      created_count bigint not null,
      updated_count bigint not null,
      deleted_count bigint not null,
      ignored_count bigint not null,
      failed_count bigint not null,
      state text,
      is_dry_run boolean not null,
      error text,
      ran_at ${time},
      elapsed_ms bigint,
      tries integer not null,
      claim ${id},
      claimed_at ${time},
      primary key (account_id, id)
    )`,
    `create table import_pieces (
      account_id ${id} not null,
      file_id ${id} not null,
      position integer not null,
      first_record integer not null,
      bytes ${bytes} not null,
      primary key (account_id, file_id, position)
    )`,
    `create table import_failures (
      account_id ${id} not null,
      import_id ${id} not null,
      record integer not null,
      cells text not null,
      reason text not null,
      primary key (account_id, import_id, record)
    )`,
    `create table import_queue (
      account_id ${id} not null,
      import_id ${id} not null,
      due_at ${time} not null,
      primary key (account_id, import_id)
    )`,
  ];
}
