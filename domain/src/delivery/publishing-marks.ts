import type { Millis } from '../basics/time.ts';
import type { PublishingChange } from './live-since.ts';

export const markKinds = ['published', 'paused', 'ended', 'archived', 'restored'] as const;

/** What happened to an Experience at one moment, and the Change that says more. */
export interface PublishingMark {
  what: (typeof markKinds)[number];
  at: Millis;
  change_id: string;
}

/** When an Experience was published, paused, ended, archived or restored until now, oldest first. `changes` are sorted by time. */
export function listPublishingMarks(
  changes: readonly (PublishingChange & { change_id: string })[],
  now: Millis,
): PublishingMark[] {
  const marks: PublishingMark[] = [];
  let end: PublishingMark | undefined;
  let isPublished = false;
  let isArchived = false;
  for (const { change_id, at, published_at, published_until, archived_at } of changes) {
    if (published_at) marks.push({ what: 'published', at: Math.max(published_at, 0), change_id });
    else if (published_at === null && isPublished) marks.push({ what: 'paused', at, change_id });
    if (published_at !== undefined) isPublished = published_at !== null;
    // An end that was moved before it came did not happen.
    if (published_until !== undefined || published_at === null) {
      if (end && end.at <= at) marks.push(end);
      end = published_until ? { what: 'ended', at: published_until, change_id } : undefined;
    }
    if (archived_at === undefined || (archived_at !== null) === isArchived) continue;
    isArchived = archived_at !== null;
    marks.push({ what: isArchived ? 'archived' : 'restored', at, change_id });
  }
  if (end) marks.push(end);
  return marks.filter((mark) => mark.at <= now).sort((one, other) => one.at - other.at);
}
