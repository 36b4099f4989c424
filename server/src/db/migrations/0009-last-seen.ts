import type { ColumnTypes } from './migration.ts';

/**
 * On SQLite, every page load wrote a page of this index, a twelfth of its time. A search by `last_seen_at` goes through
 * all profiles there, in its thread, as one by any other property does.
 */
export function lastSeen({ onSqlite }: ColumnTypes): string[] {
  return onSqlite('drop index profiles_by_last_seen');
}
