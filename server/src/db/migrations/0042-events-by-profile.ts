import { removeRowIds } from './0039-rows-stored-once.ts';
import type { ColumnTypes, MigrationStep } from './migration.ts';

/**
 * Events are stored in the order of their profiles. They were stored in the order of their IDs, with an index of the profiles: an
 * event of the past then changed two random pages. Nothing but the deletion of old events has looked for events by ID alone.
 *
 * PostgreSQL checked a foreign key with a statement for each row, which took two fifths of the time of an event. Who stores events has
 * locked their profile, and so has who deletes the profile, so there is none without its profile. SQLite keeps the foreign
 * keys: they take little time there, and the tests find a wrong delete.
 */
export function eventsByProfile({ onSqlite, onPostgres }: ColumnTypes): MigrationStep[] {
  const isSqlite = onSqlite('').length > 0;
  return [
    'drop index events_by_profile',
    ...onPostgres(
      'alter table events drop constraint events_pkey',
      'alter table events add constraint events_pkey primary key (account_id, profile_id, id)',
      'alter table events drop constraint if exists events_account_id_profile_id_fkey',
      'alter table profile_events drop constraint if exists profile_events_account_id_profile_id_fkey',
    ),
    ...(isSqlite
      ? [((db, say) => removeRowIds(db, 'events', say, 'account_id, profile_id, id')) satisfies MigrationStep]
      : []),
  ];
}
