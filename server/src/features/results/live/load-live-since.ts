import { findLiveSince, type Millis } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { loadPublishingChanges } from '../../experiences/load-publishing-changes.ts';

/** Finds, from the Changes of its publishing, since when users have seen each Experience. Returns times by ID. */
export async function loadLiveSince(ctx: Context, ids: readonly string[]): Promise<Map<string, Millis>> {
  const changes = await loadPublishingChanges(ctx, ids);
  const found = new Map<string, Millis>();
  for (const id of ids) {
    const since = findLiveSince(changes.filter(({ experience_id }) => experience_id === id));
    if (since !== null) found.set(id, since);
  }
  return found;
}
