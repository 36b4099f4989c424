import type { ColumnTypes } from './migration.ts';

/** When an administrator left Home the last time, and when before that visit: Home says what changed since. */
export function homeVisits({ time }: ColumnTypes): string[] {
  return ['home_left_at', 'home_left_before'].map((column) => `alter table admins add column ${column} ${time}`);
}
