import type { ColumnTypes } from './migration.ts';

/**
 * The interruptions of each user, by day and Experience, and how many users had how many in each week. Users had interruptions before, which
 * nobody has counted: `interruptions_from` is the first day that is certain to be complete in every time zone.
 */
export function interruptions({ id, onSqlite, onPostgres }: ColumnTypes): string[] {
  const [withoutRowid = ''] = onSqlite('without rowid');
  return [
    // Without a foreign key: nodes of the version before forget users without knowing this table.
    `create table interruption_days (
      account_id ${id} not null,
      profile_id ${id} not null,
      day integer not null,
      experience_id ${id} not null,
      interruptions integer not null,
      steps integer not null,
      seconds integer not null,
      primary key (account_id, profile_id, day, experience_id)
    ) ${withoutRowid}`,
    `create table interruption_counts (
      account_id ${id} not null,
      week integer not null,
      measure text not null,
      value integer not null,
      count integer not null,
      primary key (account_id, week, measure, value)
    ) ${withoutRowid}`,
    'alter table limit_groups add column max_steps integer',
    'alter table limit_groups add column max_seconds integer',
    'alter table accounts add column interruptions_from integer not null default 0',
    ...onSqlite(`update accounts set interruptions_from = cast(strftime('%s', 'now') as integer) / 86400 + 2`),
    ...onPostgres(
      'update accounts set interruptions_from = cast(floor(extract(epoch from now()) / 86400) as integer) + 2',
    ),
    // Nodes of the version before go on for a while without counting.
    ...onPostgres(
      'update accounts set recount_at = cast(extract(epoch from now()) * 1000 as bigint) + 3600000 where recount_at is null',
    ),
  ];
}
