import { createdAtOf, type Experience, kinds, sortFields, summarizeContent, toTimestamp } from '@usher/domain';
import type { Context } from '../../context.ts';
import { dashboardUrl } from '../../dashboard-url.ts';
import { takeBreaks } from '../../take-breaks.ts';
import { findChanged } from './find-changed.ts';
import { loadRelated } from './load-related.ts';
import { loadStats, noStats } from './load-stats.ts';
import { publicPageUrl } from './public-page-url.ts';
import { pausedAt, stateOf } from './publication-state.ts';
import type { ExperienceRow } from './queries.ts';

/**
 * Presents Experiences with what they name and with stats. Do not call this in a transaction: counting
 * takes long for many users, and on SQLite all other writers would wait.
 */
export async function presentExperiences(ctx: Context, rows: readonly ExperienceRow[]): Promise<Experience[]> {
  const relatedTo = await loadRelated(ctx, rows);
  const stats = await loadStats(
    ctx,
    rows.map(({ id }) => id),
  );
  const changed = await findChanged(ctx, rows);
  const presented: Experience[] = [];
  const takeBreak = takeBreaks();
  for (const row of rows) {
    // PostgreSQL reorders the keys of JSON.
    const { kind, steps, items, ...fields } = sortFields(row.draft);
    presented.push({
      id: row.id,
      created_at: toTimestamp(createdAtOf(row)),
      updated_at: toTimestamp(row.updated_at),
      kind,
      state: stateOf(row, ctx.now()),
      paused_at: pausedAt(row),
      has_unpublished_changes: changed.has(row.id),
      ...fields,
      segment_id: row.draft.segment_ids[0] ?? null,
      ...relatedTo(row.draft),
      content_summary: summarizeContent(row.draft),
      dashboard_url: dashboardUrl(ctx, `experiences/${row.id}`),
      ...(kinds[kind].asks && { public_page_url: publicPageUrl(ctx, row) }),
      stats: stats.get(row.id) ?? noStats,
      steps,
      ...(items && { items }),
    } as Experience);
    await takeBreak();
  }
  return presented;
}

export async function presentExperience(ctx: Context, row: ExperienceRow): Promise<Experience> {
  const [experience] = await presentExperiences(ctx, [row]);
  return experience as Experience;
}
