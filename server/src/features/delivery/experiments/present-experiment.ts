import { createdAtOf, type ShownExperiment, toTimestamp, toTimestampOrNull } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { dashboardUrl } from '../../../dashboard-url.ts';
import { publishedVersionOf } from '../../../published/publication.ts';
import { experiencesOf } from '../../experiences/queries.ts';
import { type ExperimentRow, experienceIdsOf, stateOfExperiment } from '../experiment-records/queries.ts';

/** Presents experiments, with the names of their Experiences. */
export async function presentExperiments(ctx: Context, rows: readonly ExperimentRow[]): Promise<ShownExperiment[]> {
  const ids = [...new Set(rows.flatMap(experienceIdsOf))];
  const found = ids.length === 0 ? [] : await experiencesOf(ctx).where('id', 'in', ids).execute();
  const experiences = new Map(
    found.map((row) => {
      const { id, kind, draft } = row;
      return [id, { id, kind, name: draft.name, live: publishedVersionOf(row, ctx.now()) !== null }];
    }),
  );
  return rows.map((row) => ({
    id: row.id,
    created_at: toTimestamp(createdAtOf(row)),
    updated_at: toTimestamp(row.updated_at),
    name: row.name,
    description: row.description,
    state: stateOfExperiment(row),
    variants: row.variants.map((variant) => ({
      ...variant,
      experience: experiences.get(variant.experience_id ?? '') ?? null,
    })),
    segment_ids: row.segment_ids,
    segments_op: row.segments_op,
    goal_ids: row.goal_ids,
    guardrail_goal_ids: row.guardrail_goal_ids,
    window_days: row.window_days,
    smallest_change: row.smallest_change,
    started_at: toTimestampOrNull(row.started_at),
    ended_at: toTimestampOrNull(row.ended_at),
    winner_variant_id: row.winner_variant_id,
    dashboard_url: dashboardUrl(ctx, `experiments/${row.id}`),
  }));
}

export async function presentExperiment(ctx: Context, row: ExperimentRow): Promise<ShownExperiment> {
  const [shown] = await presentExperiments(ctx, [row]);
  return shown as ShownExperiment;
}
