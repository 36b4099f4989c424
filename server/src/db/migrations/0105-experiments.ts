import type { ColumnTypes } from './migration.ts';

/** Experiments, who became a part of which one and in which arm, and the holdout of an account. */
export function experiments({ id, time, json, onSqlite }: ColumnTypes): string[] {
  const [withoutRowid = ''] = onSqlite('without rowid');
  return [
    `create table experiments (
      account_id ${id} not null,
      id ${id} not null,
      created_at ${time},
      updated_at ${time} not null,
      name text not null,
      description text,
      variants ${json} not null,
      segment_ids ${json} not null,
      segments_op text not null,
      goal_ids ${json} not null,
      guardrail_goal_ids ${json} not null,
      window_days integer not null,
      smallest_change double precision not null,
      started_at ${time},
      ended_at ${time},
      winner_variant_id ${id},
      share_changes ${json} not null,
      undo ${json},
      primary key (account_id, id)
    )`,
    `create table exposures (
      account_id ${id} not null,
      profile_id ${id} not null,
      experiment_id ${id} not null,
      variant_id ${id} not null,
      exposed_at ${time} not null,
      contaminated_at ${time},
      primary key (account_id, profile_id, experiment_id)
    ) ${withoutRowid}`,
    'create index exposures_by_experiment on exposures (account_id, experiment_id, exposed_at, profile_id)',
    "alter table activities add column variant text not null default ''",
    'alter table accounts add column holdout_percent double precision not null default 0',
    `alter table accounts add column holdout_until ${time}`,
    `alter table accounts add column holdout_from ${time}`,
  ];
}
