import type { ColumnTypes, MigrationStep } from './migration.ts';

/**
 * Whose findings count when a step is called failing: all from before do. Which Properties only unproven pages have sent: of those
 * that pages sent first, one with a single sample counts as sent by one user until another user sends it.
 */
export function pageIntake({ onSqlite, onPostgres }: ColumnTypes): MigrationStep[] {
  const markUnproven = (length: string) =>
    `update properties set unproven = case when ${length} <= 1 then 'once' else 'often' end where integration = 'browser'`;
  return [
    'alter table findings add column is_known boolean not null default true',
    'alter table properties add column unproven text',
    'alter table properties add column hidden boolean not null default false',
    ...onSqlite(markUnproven('json_array_length(samples)')),
    ...onPostgres(markUnproven('jsonb_array_length(samples)')),
  ];
}
