import type { ColumnTypes } from './migration.ts';

/** What page loads read and write. */
export function visits({ id, time, json }: ColumnTypes): string[] {
  return [
    'alter table accounts add column visit_key text',
    'alter table accounts add column require_uid_hash boolean not null default false',
    'alter table accounts add column uid_secret text',
    `create table lives (
      account_id ${id} not null,
      version bigint not null,
      primary key (account_id)
    )`,
    `create table limit_groups (
      account_id ${id} not null,
      id ${id} not null,
      updated_at ${time} not null,
      name text not null,
      max_count integer not null,
      period_hours double precision not null,
      experience_ids ${json} not null,
      primary key (account_id, id)
    )`,
    `alter table interactions add column step_id ${id}`,
    `alter table interactions add column showing_from ${time} not null default 0`,
    `alter table interactions add column showing_to ${time} not null default 0`,
    `alter table interactions add column displayed_to ${time} not null default 0`,
    'alter table deliveries add column claimed_by text',
    'create index interactions_by_update on interactions (account_id, experience_id, updated_at, id)',
    `alter table responses add column step_id ${id}`,
    `alter table responses add column button_id ${id}`,
    'alter table responses add column value text',
    `alter table responses add column showing_from ${time} not null default 0`,
    'drop index responses_by_profile',
    'create unique index responses_by_profile on responses (account_id, profile_id, experience_id, step_id, showing_from)',
    'create index responses_by_update on responses (account_id, experience_id, updated_at, id)',
    `create table activities (
      account_id ${id} not null,
      experience_id ${id} not null,
      day integer not null,
      what text not null,
      part_id ${id} not null,
      profile_id ${id} not null,
      primary key (account_id, experience_id, day, what, part_id, profile_id),
      foreign key (account_id, profile_id) references profiles (account_id, id)
    )`,
    'create index activities_by_profile on activities (account_id, profile_id)',
    // Whoever deletes an Experience looks for them, and need not look through those that were triggered.
    'create index deliveries_pending on deliveries (account_id, model_id, id) where removed_at is null and at is null',
  ];
}
