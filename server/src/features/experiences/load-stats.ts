import { type ExperienceStats, toTimestampOrNull } from '@usher/domain';
import type { Context } from '../../context.ts';
import { loadExperienceCounts } from '../results/counts/load-experience-counts.ts';

export const noStats: ExperienceStats = {
  started_count: 0,
  completed_count: 0,
  exited_count: 0,
  displayed_count: 0,
  last_started_at: null,
  last_completed_at: null,
  last_exited_at: null,
  last_displayed_at: null,
};

export async function loadStats(ctx: Context, ids: string[]): Promise<Map<string, ExperienceStats>> {
  const rows = await loadExperienceCounts(ctx, ids);
  return new Map(
    rows.map((row) => [
      row.experience_id,
      {
        started_count: row.started_count,
        completed_count: row.completed_count,
        exited_count: row.exited_count,
        displayed_count: row.displayed_count,
        last_started_at: toTimestampOrNull(row.last_started_at),
        last_completed_at: toTimestampOrNull(row.last_completed_at),
        last_exited_at: toTimestampOrNull(row.last_exited_at),
        last_displayed_at: toTimestampOrNull(row.last_displayed_at),
      },
    ]),
  );
}
