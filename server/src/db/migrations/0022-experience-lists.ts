import type { ColumnTypes } from './migration.ts';

/**
 * Lists of Experiences are ordered by columns, so that a page of ten thousand costs the same as one of fifty. The order of
 * priority is a column too, because it takes effect without publishing.
 */
export function experienceLists({ id, time, onSqlite, onPostgres }: ColumnTypes): string[] {
  return [
    `alter table experiences add column paused_version_id ${id}`,
    `alter table experiences add column paused_at ${time}`,
    `alter table experiences add column name_key ${id} not null default ''`,
    'alter table experiences add column position integer not null default 0',
    `alter table experiences add column sort_key ${id} not null default ''`,
    ...onSqlite(
      `update experiences set sort_key = id, name_key = lower(json_extract(draft, '$.name')),
        position = json_extract(draft, '$.position')`,
    ),
    ...onPostgres(
      `update experiences set sort_key = id, name_key = lower(draft->>'name'), position = (draft->>'position')::integer`,
    ),
    `update experiences set paused_at = updated_at, paused_version_id = (
        select max(versions.id) from versions
        where versions.account_id = experiences.account_id and versions.experience_id = experiences.id
      )
      where version_id is null and next_version_id is null and exists (
        select 1 from versions
        where versions.account_id = experiences.account_id and versions.experience_id = experiences.id
      )`,
    'create index experiences_by_position on experiences (account_id, position, sort_key, id)',
    'create index experiences_by_name on experiences (account_id, name_key, id)',
    'create index experiences_by_update on experiences (account_id, updated_at, id)',
  ];
}
