import type { Millis } from '../basics/time.ts';
import type { UpdateAlertGroup } from './alert-group-schema.ts';
import { type Members, writeMembers } from './group-members.ts';

/** What a group alerts to: no one sees an Experience any more, or people start it and no one completes it. */
export const alertStyles = ['unseen', 'uncompleted'] as const;
export type AlertStyle = (typeof alertStyles)[number];

const DAY_MS: Millis = 24 * 60 * 60_000;

/** Watches the live Experiences of a group. */
export interface AlertGroupValues extends Members {
  name: string;
  style: AlertStyle;
  /** How many days may pass, and how often the group notifies at most. */
  interval: number;
  published_at: Millis | null;
}

/** When a live Experience was published, and when users last used it. */
export interface LastUse {
  publishedAt: Millis;
  displayedAt: Millis | null;
  startedAt: Millis | null;
  completedAt: Millis | null;
}

/** Applies parameters to an alert group, or to none yet. */
export function writeAlertGroup(
  before: AlertGroupValues | undefined,
  params: Omit<UpdateAlertGroup, 'updated_at'>,
  problems: string[],
): AlertGroupValues {
  return {
    name: params.name ?? before?.name ?? '',
    style: params.style ?? before?.style ?? 'unseen',
    interval: params.interval ?? before?.interval ?? 1,
    published_at: params.published_at === undefined ? (before?.published_at ?? null) : params.published_at,
    ...writeMembers(before, params, problems),
  };
}

/** Since when no one has seen an Experience, or no one has completed it; undefined if the group does not alert to it now. */
export function findQuietSince(
  { style, interval }: Pick<AlertGroupValues, 'style' | 'interval'>,
  { publishedAt, displayedAt, startedAt, completedAt }: LastUse,
  now: Millis,
): Millis | undefined {
  if (style === 'uncompleted' && startedAt === null) return undefined;
  const last = style === 'unseen' ? Math.max(displayedAt ?? 0, startedAt ?? 0) : (completedAt ?? 0);
  const since = Math.max(publishedAt, last);
  return since <= startOfInterval(interval, now) ? since : undefined;
}

/** When an interval began that ends now. */
export function startOfInterval(interval: number, now: Millis): Millis {
  return now - interval * DAY_MS;
}
