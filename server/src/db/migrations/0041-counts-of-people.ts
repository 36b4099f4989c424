import type { ColumnTypes } from './migration.ts';

/**
 * How many profiles an account has, and how many of them are in each Segment. The indices find the profiles that did something
 * in the order of their IDs, so that a count can read them part by part.
 */
export function countsOfPeople({ id, time, onSqlite }: ColumnTypes): string[] {
  return [
    `create table profile_counts (
      account_id ${id} not null,
      counted_to ${id} not null,
      count bigint not null,
      started_at ${time} not null,
      deletions bigint not null,
      primary key (account_id)
    )`,
    `create table segment_counts (
      account_id ${id} not null,
      segment_id ${id} not null,
      fingerprint ${id} not null,
      count bigint not null,
      estimate bigint not null,
      is_complete boolean not null,
      counted_at ${time} not null,
      took_ms integer not null,
      primary key (account_id, segment_id)
    )`,
    `create table segment_count_runs (
      account_id ${id} not null,
      claim ${id} not null,
      claimed_at ${time} not null,
      share double precision not null,
      primary key (account_id)
    )`,
    'create index interactions_by_experience_and_profile on interactions (account_id, experience_id, profile_id)',
    // PostgreSQL has an index of all values.
    ...onSqlite(
      `create index profiles_disabled on profiles (account_id, id) where json_type(custom, '$."disabled"') = 'true'`,
    ),
    'create index answers_by_experience_and_profile on answers (account_id, experience_id, profile_id)',
  ];
}
