import type { ColumnTypes, MigrationStep } from './migration.ts';

/** Users of the customer's own team, whom no number counts. The index has only them, so that leaving them out costs little. */
export function testUsers({ time, json }: ColumnTypes): MigrationStep[] {
  return [
    `alter table accounts add column test_emails ${json} not null default '[]'`,
    `alter table accounts add column test_emails_changed_at ${time}`,
    `alter table accounts add column test_emails_marked_at ${time}`,
    'create index accounts_to_mark on accounts (id) where test_emails_changed_at is not null',
    'alter table profiles add column test boolean',
    'alter table profiles add column is_test boolean not null default false',
    'create index profiles_test on profiles (account_id, id) where is_test',
  ];
}
