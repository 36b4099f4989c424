import type { ColumnTypes } from './migration.ts';

/**
 * The files of the export for warehouses, and for each row the number of the file that it is in. A row without a number is in none yet, so
 * that neither the clock nor the order of commits decides what is new.
 */
export function exportFiles({ id, time }: ColumnTypes): string[] {
  return [
    `create table export_files (
      account_id ${id} not null,
      number integer not null,
      table_name ${id} not null,
      name ${id} not null,
      claim ${id} not null,
      rows_count integer not null default 0,
      bytes bigint not null default 0,
      started_at ${time} not null,
      sealed_at ${time},
      written_at ${time},
      given_up_at ${time},
      primary key (account_id, number)
    )`,
    ...['events', 'activities', 'responses', 'exposures', 'merged_profiles', 'deletions'].map(
      (table) => `alter table ${table} add column exported_in integer`,
    ),
    `alter table responses add column exported_tick ${time}`,
  ];
}
