import type { ColumnTypes, MigrationStep } from './migration.ts';

/** Which paths users visit, without anything about the users: for choosing the pages of an Experience. */
export function visitedPaths({ id, time }: ColumnTypes): MigrationStep[] {
  return [
    'alter table accounts add column record_paths boolean not null default true',
    `create table visited_paths (
      account_id ${id} not null,
      day integer not null,
      host ${id} not null,
      path ${id} not null,
      count bigint not null,
      last_seen_at ${time} not null,
      primary key (account_id, day, host, path)
    )`,
  ];
}
