import { type ExperienceState, type Millis, parseIso, toTimestampOrNull } from '@usher/domain';
import { publishedVersionOf } from '../../published/publication.ts';
import type { ExperienceRow } from './queries.ts';

/** Documents contain times as text. */
export function timeOf(timestamp: string | null): Millis | null {
  return timestamp === null ? null : (parseIso(timestamp) ?? null);
}

export function stateOf(row: ExperienceRow, now: Millis): ExperienceState {
  if (row.archived_at !== null) return 'archived';
  if (publishedVersionOf(row, now) !== null) return 'live';
  if (row.published_at === null && row.next_published_at === null) return 'draft';
  return row.published_until !== null && row.published_until <= now ? 'ended' : 'scheduled';
}

/** The time since when users no longer see the Experience, if it was published before and is not now. */
export function pausedAt(row: ExperienceRow): string | null {
  return row.published_at === null && row.next_published_at === null ? toTimestampOrNull(row.paused_at) : null;
}
