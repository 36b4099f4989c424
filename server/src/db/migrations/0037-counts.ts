import { tablesWithRowIds } from './0039-rows-stored-once.ts';
import type { ColumnTypes, MigrationStep } from './migration.ts';
import { requireSpace } from './require-space.ts';

const byPerson = 'account_id, profile_id, experience_id, what, part_id, day';

/**
 * What results count, kept as numbers, so that reading them takes as long for a million users as for ten. The counts are made when the
 * server starts (`recount_at`). Activities are only read by user from now on: SQLite stores them once instead of twice. One server at a time
 * uses a SQLite file, so that the table can be replaced; on PostgreSQL the version before goes on with another key.
 */
export function counts({ id, time, millisOfId, onSqlite, onPostgres }: ColumnTypes): MigrationStep[] {
  const [withoutRowid = ''] = onSqlite('without rowid');
  const dimension = `${id} not null default ''`;
  const activitiesByPerson = `create table activities_by_person (
      account_id ${id} not null,
      profile_id ${id} not null,
      experience_id ${id} not null,
      what text not null,
      part_id ${id} not null,
      day integer not null,
      previous_day integer not null default -1,
      language ${dimension},
      device ${dimension},
      url_group_id ${dimension},
      primary key (${byPerson}),
      foreign key (account_id, profile_id) references profiles (account_id, id)
    ) without rowid`;
  // This is the first of the migrations of a release that write tables again.
  const checkSpace: MigrationStep = (db) => requireSpace(db, ['activities', ...tablesWithRowIds]);
  return [
    ...onSqlite('').map(() => checkSpace),
    ...onSqlite(
      activitiesByPerson,
      `insert into activities_by_person (${byPerson}) select ${byPerson} from activities order by ${byPerson}`,
      'drop table activities',
      'alter table activities_by_person rename to activities',
    ),
    ...onPostgres(
      'alter table activities add column previous_day integer not null default -1',
      ...['language', 'device', 'url_group_id'].map((name) => `alter table activities add column ${name} ${dimension}`),
      'alter table activities drop constraint activities_pkey',
      `alter table activities add constraint activities_pkey primary key (${byPerson})`,
      'drop index activities_by_profile',
    ),
    `create table activity_counts (
      account_id ${id} not null,
      experience_id ${id} not null,
      day integer not null,
      what text not null,
      part_id ${id} not null,
      previous_day integer not null,
      language ${id} not null,
      device ${id} not null,
      url_group_id ${id} not null,
      variant ${id} not null,
      count integer not null,
      primary key (account_id, experience_id, day, what, part_id, previous_day, language, device, url_group_id, variant)
    ) ${withoutRowid}`,
    'alter table answers add column day integer',
    `update answers set day = ${millisOfId('response_id')} / 86400000`,
    `create table answer_counts (
      account_id ${id} not null,
      experience_id ${id} not null,
      day integer not null,
      step_id ${id} not null,
      button_id ${id} not null,
      value text not null,
      previous_day integer not null,
      count integer not null,
      primary key (account_id, experience_id, day, step_id, button_id, value, previous_day)
    ) ${withoutRowid}`,
    `create table score_counts (
      account_id ${id} not null,
      experience_id ${id} not null,
      day integer not null,
      step_id ${id} not null,
      value text not null,
      next_day integer not null,
      count integer not null,
      primary key (account_id, experience_id, day, step_id, value, next_day)
    ) ${withoutRowid}`,
    `create table experience_counts (
      account_id ${id} not null,
      experience_id ${id} not null,
      started_count integer not null,
      completed_count integer not null,
      exited_count integer not null,
      displayed_count integer not null,
      last_started_at ${time},
      last_completed_at ${time},
      last_exited_at ${time},
      last_displayed_at ${time},
      stale integer not null default 0,
      primary key (account_id, experience_id)
    )`,
    `alter table accounts add column recount_at ${time}`,
    'update accounts set recount_at = 0',
  ];
}
