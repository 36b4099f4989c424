import type { ColumnTypes } from './migration.ts';

/** What moves have written, so that a later run finds what was changed here since. */
export function movedRecords({ id, time, json }: ColumnTypes): string[] {
  return [
    `create table moved_experiences (
      account_id ${id} not null,
      experience_id ${id} not null,
      source_hash ${id} not null,
      content ${json} not null,
      primary key (account_id, experience_id)
    )`,
    `create table moved_settings (
      account_id ${id} not null,
      stage text not null,
      record_id ${id} not null,
      updated_at ${time} not null,
      primary key (account_id, stage, record_id)
    )`,
  ];
}
