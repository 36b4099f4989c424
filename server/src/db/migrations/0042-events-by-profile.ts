import { removeRowIds } from './0039-rows-stored-once.ts';
import type { ColumnTypes, MigrationStep } from './migration.ts';

/**
 * Events are stored in the order of their profiles. They were stored in the order of their IDs, with an index of the profiles: an
 * event of the past then changed two random pages. Nothing but the deletion of old events has looked for events by ID alone.
 */
export function eventsByProfile({ onSqlite, onPostgres }: ColumnTypes): MigrationStep[] {
  const isSqlite = onSqlite('').length > 0;
  return [
    'drop index events_by_profile',
    ...onPostgres(
      'alter table events drop constraint events_pkey',
      'alter table events add constraint events_pkey primary key (account_id, profile_id, id)',
    ),
    ...(isSqlite
      ? [((db, say) => removeRowIds(db, 'events', say, 'account_id, profile_id, id')) satisfies MigrationStep]
      : []),
  ];
}
