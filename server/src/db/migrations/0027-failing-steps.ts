import type { ColumnTypes, MigrationStep } from './migration.ts';

/**
 * Since when an element was not found, and in which browser; and the steps that most people do not see, by which webhooks are
 * sent once. Findings from before have no first time, and count for other browsers.
 */
export function failingSteps({ id, time }: ColumnTypes): MigrationStep[] {
  return [
    `alter table findings add column first_at ${time}`,
    `alter table findings add column browser text not null default 'other'`,
    `create table failing_steps (
      account_id ${id} not null,
      experience_id ${id} not null,
      part_id ${id} not null,
      is_failing boolean not null,
      since ${time} not null,
      users_count integer not null,
      total_users_count integer not null,
      path text not null,
      browser text not null,
      checked_at ${time} not null,
      primary key (account_id, experience_id, part_id)
    )`,
  ];
}
