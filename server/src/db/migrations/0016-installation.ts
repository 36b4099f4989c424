import type { ColumnTypes } from './migration.ts';

/** What is true of the installation as a whole, as the fingerprint of its master key. */
export function installation({ id }: ColumnTypes): string[] {
  return [`create table installation (name ${id} primary key, value text not null)`];
}
