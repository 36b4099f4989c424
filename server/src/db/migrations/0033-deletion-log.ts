import type { ColumnTypes } from './migration.ts';

/** A hash of the ID of a forgotten profile: a restored backup has the profile, and finds it by this. */
export function deletionLog({ id }: ColumnTypes): string[] {
  return [`alter table deletions add column profile_hash ${id}`];
}
