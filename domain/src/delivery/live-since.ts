import type { Millis } from '../basics/time.ts';

/** A change of what decides whether users see an Experience. What is left out stays as it was. */
export interface PublishingChange {
  at: Millis;
  published_at?: Millis | null;
  published_until?: Millis | null;
  archived_at?: Millis | null;
}

/**
 * Since when users have seen an Experience without an interruption: a pause, an end or the archive. Another version is no
 * interruption. `changes` are sorted by time. Null if users do not see the Experience after the last change.
 */
export function findLiveSince(changes: readonly PublishingChange[]): Millis | null {
  const is = { published_at: null, published_until: null, archived_at: null } as Omit<Required<PublishingChange>, 'at'>;
  let since: Millis | null = null;
  for (const { at, ...change } of changes) {
    if (is.published_until !== null && is.published_until <= at) since = null;
    Object.assign(is, change);
    const { published_at, published_until, archived_at } = is;
    const isVisible = published_at !== null && archived_at === null && (published_until ?? at + 1) > at;
    if (!isVisible) since = null;
    // An Experience that was only scheduled until now has not begun yet.
    else if (since === null || since > at) since = change.published_at ?? Math.max(published_at, at);
  }
  return since;
}
