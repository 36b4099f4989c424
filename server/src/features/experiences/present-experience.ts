import { type Experience, pathOfKind, sortFields, timeOfId, toTimestamp } from '@usher/domain';
import type { Context } from '../../context.ts';
import { takeBreaks } from '../../take-breaks.ts';
import { findChanged } from './find-changed.ts';
import { loadStats, noStats } from './load-stats.ts';
import { pausedAt, stateOf } from './publication-state.ts';
import { type ExperienceRow, loadUrlGroups } from './queries.ts';

/**
 * Presents Experiences with the names of their Environments and with stats. Do not call this in a transaction: counting
 * takes long for many users, and on SQLite all other writers would wait.
 */
export async function presentExperiences(ctx: Context, rows: readonly ExperienceRow[]): Promise<Experience[]> {
  const groupIds = [...new Set(rows.flatMap(({ draft }) => draft.url_group_ids))];
  const groups = groupIds.length === 0 ? [] : await loadUrlGroups(ctx, groupIds);
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
      created_at: toTimestamp(timeOfId(row.id)),
      updated_at: toTimestamp(row.updated_at),
      kind,
      state: stateOf(row, ctx.now()),
      paused_at: pausedAt(row),
      has_unpublished_changes: changed.has(row.id),
      ...fields,
      url_groups: groups.filter(({ id }) => row.draft.url_group_ids.includes(id)),
      dashboard_url: `${ctx.app.publicUrl}/${pathOfKind(kind)}/${row.id}`,
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
