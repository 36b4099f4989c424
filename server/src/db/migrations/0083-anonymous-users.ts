import type { ColumnTypes } from './migration.ts';

/**
 * Users who have not signed in. What they did moves to the profile of the user when they sign in; for as long as a page may stay open, a
 * row says which profile that is.
 */
export function anonymousUsers({ id, time }: ColumnTypes): string[] {
  return [
    'alter table accounts add column anonymous_users boolean not null default false',
    'alter table accounts add column anonymous_days integer not null default 90',
    `create table merged_profiles (
      account_id ${id} not null,
      id ${id} not null,
      profile_id ${id} not null,
      at ${time} not null,
      primary key (account_id, id),
      foreign key (account_id, profile_id) references profiles (account_id, id)
    )`,
    'create index merged_profiles_by_profile on merged_profiles (account_id, profile_id)',
  ];
}
