import type { ColumnTypes } from './migration.ts';

/** Shared goals, and how many people met each goal of an Experience, by the day on which they first saw it. */
export function goals({ id, time, json, onSqlite }: ColumnTypes): string[] {
  const [withoutRowid = ''] = onSqlite('without rowid');
  return [
    `create table goals (
      account_id ${id} not null,
      id ${id} not null,
      created_at ${time},
      updated_at ${time} not null,
      name text not null,
      description text,
      definition ${json} not null,
      archived_at ${time},
      primary key (account_id, id)
    )`,
    `create table goal_counts (
      account_id ${id} not null,
      experience_id ${id} not null,
      goal_id ${id} not null,
      day integer not null,
      people integer not null,
      value double precision not null,
      primary key (account_id, experience_id, goal_id, day)
    ) ${withoutRowid}`,
    `create table goal_count_runs (
      account_id ${id} not null,
      experience_id ${id} not null,
      fingerprint text,
      counted_at ${time},
      took_ms integer,
      claim ${id},
      claimed_at ${time} not null,
      share double precision not null,
      primary key (account_id, experience_id)
    )`,
  ];
}
