import { type AlertedExperience, type ExperienceStats, findQuietSince, type LastUse, parseIso } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { isLive } from '../../../published/is-live.ts';
import { publicationColumns, publishedVersionOf } from '../../../published/publication.ts';
import { loadPublished } from '../../experiences/load-published.ts';
import { loadStats, noStats } from '../../experiences/load-stats.ts';
import { liveSince } from '../../results/failing-steps/queries.ts';
import type { AlertGroupRow } from '../alert-groups/queries.ts';
import { isMember } from '../group-experiences/is-member.ts';

/** Finds the live Experiences that a group alerts to now: how many there are, and the first ones, the longest quiet ones first. */
export async function findQuiet(
  ctx: Context,
  group: AlertGroupRow,
  limit: number,
): Promise<{ count: number; experiences: AlertedExperience[] }> {
  const now = ctx.now();
  const rows = await ctx.db
    .selectFrom('experiences')
    .select(['id', 'kind', ...publicationColumns])
    .where('account_id', '=', ctx.account.id)
    .where((eb) => isLive(eb, now))
    .where(isMember(ctx, group))
    .execute();
  const stats = await loadStats(
    ctx,
    rows.map(({ id }) => id),
  );
  const rule = { style: group.style, interval: group.interval_days };
  const quiet = rows
    .flatMap((row) => {
      const publishedAt = liveSince(row, now);
      const since = findQuietSince(rule, { publishedAt, ...lastUseOf(stats.get(row.id) ?? noStats) }, now);
      return since === undefined ? [] : [{ ...row, publishedAt, since }];
    })
    .sort((one, other) => one.since - other.since || (one.id < other.id ? -1 : 1));
  const listed = quiet.slice(0, limit);
  const documents = await loadPublished(
    ctx,
    listed.map(({ publishedAt: _, ...row }) => row),
  );
  const experiences = listed.map(({ publishedAt, since, ...row }): AlertedExperience => {
    const document = documents.get(publishedVersionOf(row, now) ?? '');
    const { name = null, segment_ids = [] } = document ?? {};
    return { id: row.id, kind: row.kind, name, publishedAt, segmentId: segment_ids[0] ?? null, since };
  });
  return { count: quiet.length, experiences };
}

function lastUseOf(stats: ExperienceStats): Omit<LastUse, 'publishedAt'> {
  const { last_displayed_at, last_started_at, last_completed_at } = stats;
  const read = (time: string | null) => (time === null ? null : (parseIso(time) ?? null));
  return {
    displayedAt: read(last_displayed_at),
    startedAt: read(last_started_at),
    completedAt: read(last_completed_at),
  };
}
