import type { Millis } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Schema } from '../db/schema.ts';

/** The columns that say which version of an Experience users see, if any. */
export const publicationColumns = [
  'version_id',
  'published_at',
  'next_version_id',
  'next_published_at',
  'published_until',
  'archived_at',
] as const;
export type Publication = Pick<Selectable<Schema['experiences']>, (typeof publicationColumns)[number]>;

/** Returns the ID of the version that users see at a time. A version that is scheduled for later replaces the current one at its time. */
export function publishedVersionOf(row: Publication, now: Millis): string | null {
  if (row.archived_at !== null || (row.published_until !== null && row.published_until <= now)) return null;
  if (row.next_published_at !== null && row.next_published_at <= now) return row.next_version_id;
  return row.published_at !== null && row.published_at <= now ? row.version_id : null;
}
