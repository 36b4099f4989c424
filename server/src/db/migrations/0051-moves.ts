import type { ColumnTypes } from './migration.ts';

/** The tables whose records can come from another service, with IDs that contain another time than that of their creation. */
const movedTables = [
  ...['profiles', 'companies', 'properties', 'segments', 'tags', 'url_groups', 'urls', 'themes', 'limit_groups'],
  ...['experiences', 'interactions', 'responses', 'deliveries', 'webhooks'],
];

/** What moves here from another service. */
export function moves({ id, time, json }: ColumnTypes): string[] {
  return [
    ...movedTables.map((table) => `alter table ${table} add column created_at ${time}`),
    'alter table webhooks add column own_secret text',
    `create table moves (
      account_id ${id} not null,
      updated_at ${time} not null,
      admin_id ${id} not null,
      source text not null,
      source_account_id ${id} not null,
      started_at ${time} not null,
      finished_at ${time},
      released_at ${time},
      claim ${id},
      claimed_at ${time},
      error text,
      progress ${json} not null,
      primary key (account_id)
    )`,
    `create table move_problems (
      account_id ${id} not null,
      stage text not null,
      record_id ${id} not null,
      position bigint not null,
      message text not null,
      primary key (account_id, stage, record_id, position)
    )`,
    `create table imported_totals (
      account_id ${id} not null,
      experience_id ${id} not null,
      started_count bigint not null,
      completed_count bigint not null,
      exited_count bigint not null,
      displayed_count bigint not null,
      last_started_at ${time},
      last_completed_at ${time},
      last_exited_at ${time},
      last_displayed_at ${time},
      primary key (account_id, experience_id)
    )`,
    `create table unplaced_steps (
      account_id ${id} not null,
      experience_id ${id} not null,
      step_id ${id} not null,
      primary key (account_id, experience_id, step_id)
    )`,
  ];
}
