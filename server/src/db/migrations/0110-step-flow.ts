import type { ColumnTypes } from './migration.ts';

/**
 * How users go through steps, and by which version. What they did before has no time and no version, so accounts that exist already know
 * the flow of steps from the day on which it is certain to be complete in every time zone (`flow_from`).
 */
export function stepFlow({ id, time, onSqlite, onPostgres }: ColumnTypes): string[] {
  const [withoutRowid = ''] = onSqlite('without rowid');
  const counted = 'account_id, experience_id, day, what, part_id, previous_day';
  return [
    `alter table activities add column at ${time}`,
    'alter table activities add column seconds integer',
    `alter table activities add column version_id ${id} not null default ''`,
    `alter table interactions add column current_step_id ${id}`,
    `alter table interactions add column current_step_at ${time}`,
    'alter table accounts add column flow_from integer not null default 0',
    ...onSqlite(`update accounts set flow_from = cast(strftime('%s', 'now') as integer) / 86400 + 2`),
    ...onPostgres('update accounts set flow_from = cast(floor(extract(epoch from now()) / 86400) as integer) + 2'),
    `create table version_counts (
      account_id ${id} not null,
      experience_id ${id} not null,
      day integer not null,
      what text not null,
      part_id ${id} not null,
      previous_day integer not null,
      version_id ${id} not null,
      count integer not null,
      primary key (${counted}, version_id)
    ) ${withoutRowid}`,
    `insert into version_counts (${counted}, version_id, count)
      select ${counted}, '', cast(sum(count) as integer) from activity_counts group by ${counted}`,
    `create table step_times (
      account_id ${id} not null,
      experience_id ${id} not null,
      day integer not null,
      step_id ${id} not null,
      seconds integer not null,
      count integer not null,
      primary key (account_id, experience_id, day, step_id, seconds)
    ) ${withoutRowid}`,
    // Nodes of the version before go on for a while without counting versions.
    ...onPostgres(
      'update accounts set recount_at = cast(extract(epoch from now()) * 1000 as bigint) + 3600000 where recount_at is null',
    ),
  ];
}
