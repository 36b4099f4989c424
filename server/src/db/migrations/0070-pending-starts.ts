import type { ColumnTypes } from './migration.ts';

/** The events of a user that start Experiences. */
export function pendingStarts({ json }: ColumnTypes): string[] {
  return [`alter table profiles add column pending_starts ${json} not null default '[]'`];
}
