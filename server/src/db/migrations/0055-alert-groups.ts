import type { ColumnTypes } from './migration.ts';

/** Groups of Experiences, which are watched for what no one sees or completes. */
export function alertGroups({ id, time, json }: ColumnTypes): string[] {
  return [
    `create table alert_groups (
      account_id ${id} not null,
      id ${id} not null,
      created_at ${time},
      updated_at ${time} not null,
      name text not null,
      style text not null,
      interval_days integer not null,
      published_at ${time},
      last_notified_at ${time},
      experience_kind ${id},
      experience_ids ${json} not null,
      tag_ids ${json} not null,
      primary key (account_id, id)
    )`,
  ];
}
