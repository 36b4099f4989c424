import { type AttentionEntry, toTimestamp } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { publishedAlertGroupsOf } from '../../delivery/alert-groups/queries.ts';
import { findQuiet } from '../../delivery/alerts/find-quiet.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Finds the live Experiences that alert groups alert to now. One that several groups of a style watch is listed once. */
export async function findQuietExperiences(ctx: Context, limit: number): Promise<AttentionEntry[]> {
  const entries = new Map<string, AttentionEntry>();
  for (const group of await publishedAlertGroupsOf(ctx).execute()) {
    const { experiences } = await findQuiet(ctx, group, limit);
    for (const { id, kind, name, since } of experiences)
      entries.set(`${group.style} ${id}`, {
        type: group.style === 'unseen' ? 'experience_unseen' : 'experience_uncompleted',
        severity: 'warning',
        since: toTimestamp(since),
        count: Math.floor((ctx.now() - since) / DAY_MS),
        target: { type: kind, id, name: name ?? '' },
        step: null,
      });
  }
  return [...entries.values()].slice(0, limit);
}
