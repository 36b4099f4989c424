import type { ColumnTypes } from './migration.ts';

/**
 * On SQLite, an entry somewhere in an index takes a tenth of the time of a page load, or of a Delivery: a page of the file
 * is written for it. A search by `last_seen_at` goes through all profiles there, in its thread, as one by any other
 * property does; the Deliveries of one profile are found by the index of their keys.
 */
export function fewerIndices({ onSqlite }: ColumnTypes): string[] {
  return onSqlite('drop index profiles_by_last_seen', 'drop index deliveries_by_profile');
}
