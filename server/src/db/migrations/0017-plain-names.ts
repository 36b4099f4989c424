import type { ColumnTypes } from './migration.ts';

/** Tables, columns and indices get the names that the code uses. All nodes have to be stopped for this one. */
export function plainNames({ onSqlite, onPostgres }: ColumnTypes): string[] {
  return [
    'alter table lives rename to published_versions',
    'alter table tidings rename to webhook_events',
    'alter table webhook_events rename column told to payload',
    'alter table outbox rename column told to payload',
    ...onPostgres(
      'alter index lives_pkey rename to published_versions_pkey',
      'alter index tidings_pkey rename to webhook_events_pkey',
      'alter index tidings_by_profile rename to webhook_events_by_profile',
      'alter index tidings_repeated rename to webhook_events_repeated',
    ),
    // SQLite cannot rename an index.
    ...onSqlite(
      'drop index tidings_by_profile',
      'create index webhook_events_by_profile on webhook_events (account_id, profile_id)',
      'drop index tidings_repeated',
      'create unique index webhook_events_repeated on webhook_events (account_id, profile_id, repeat_key, webhook_ids) where repeat_key is not null',
    ),
  ];
}
