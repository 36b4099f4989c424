import { createdAtOf, type ListedExperience, sketchOf, TREND_DAYS, toTimestamp } from '@usher/domain';
import type { Context } from '../../context.ts';
import { findToday, shownDay } from '../results/counts/time-zone.ts';
import { loadUsers } from '../team/persons/load-users.ts';
import { findChanged } from './find-changed.ts';
import { loadStats, noStats } from './load-stats.ts';
import { pausedAt, stateOf } from './publication-state.ts';
import type { ExperienceRow } from './queries.ts';

/** Presents Experiences for a list: without their content, but with who changed them last. */
export async function presentListed(
  ctx: Context,
  rows: readonly ExperienceRow[],
  withTrend: boolean,
): Promise<ListedExperience[]> {
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return [];
  const [stats, changed, authors, trends] = await Promise.all([
    loadStats(ctx, ids),
    findChanged(ctx, rows),
    findAuthors(ctx, ids),
    withTrend ? loadTrends(ctx, ids) : undefined,
  ]);
  return rows.map((row) => {
    const { draft } = row;
    return {
      id: row.id,
      created_at: toTimestamp(createdAtOf(row)),
      updated_at: toTimestamp(row.updated_at),
      kind: row.kind,
      state: stateOf(row, ctx.now()),
      paused_at: pausedAt(row),
      has_unpublished_changes: changed.has(row.id),
      name: draft.name,
      sketch: sketchOf(draft),
      position: draft.position,
      segment_ids: draft.segment_ids,
      excluded_segment_ids: draft.excluded_segment_ids,
      url_group_ids: draft.url_group_ids,
      tag_ids: draft.tag_ids,
      published_at: draft.published_at,
      published_until: draft.published_until,
      archived_at: draft.archived_at,
      changed_by: authors.get(row.id) ?? null,
      stats: stats.get(row.id) ?? noStats,
      ...(trends && { trend: trends.get(row.id) ?? Array<number>(TREND_DAYS).fill(0) }),
    };
  });
}

/** Finds who changed each Experience last. One index lookup for each is faster than grouping: some have thousands of Changes. */
async function findAuthors(ctx: Context, ids: string[]) {
  const rows = await ctx.db
    .selectFrom('experiences')
    .select(({ selectFrom, ref }) => [
      'id',
      selectFrom('changes')
        .select('admin_id')
        .where('changes.account_id', '=', ctx.account.id)
        .where('changes.account_id', '=', ref('experiences.account_id'))
        .where('changes.experience_id', '=', ref('experiences.id'))
        .where('changes.kind', '<>', 'related')
        .orderBy('changes.id', 'desc')
        .limit(1)
        .as('admin_id'),
    ])
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', ids)
    .execute();
  const users = await loadUsers(
    ctx,
    rows.map(({ admin_id }) => admin_id),
  );
  return new Map(rows.map(({ id, admin_id }) => [id, users.get(admin_id ?? '')]));
}

/** Counts the users who started each Experience on each of the last days. */
async function loadTrends(ctx: Context, ids: string[]): Promise<Map<string, number[]>> {
  const last = await findToday(ctx);
  const first = last - TREND_DAYS + 1;
  const rows = await ctx.heavyDb
    .selectFrom('activity_counts')
    .select(({ fn }) => ['experience_id', shownDay(last).as('shown'), fn.sum<number>('count').as('count')])
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', 'in', ids)
    .where('day', '>=', first)
    .where('what', '=', 'started')
    .where('part_id', '=', '')
    .where('previous_day', '<', shownDay(last))
    .groupBy(['experience_id', 'shown'])
    .execute();
  const trends = new Map<string, number[]>();
  for (const { experience_id, shown, count } of rows) {
    const trend = trends.get(experience_id) ?? Array<number>(TREND_DAYS).fill(0);
    trend[shown - first] = Number(count);
    trends.set(experience_id, trend);
  }
  return trends;
}
