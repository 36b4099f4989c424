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

/** Adds the totals that came from another service without rows. */
export async function loadStats(ctx: Context, ids: string[]): Promise<Map<string, ExperienceStats>> {
  const counted = new Map((await loadExperienceCounts(ctx, ids)).map((row) => [row.experience_id, row]));
  const imported = new Map((await loadImportedTotals(ctx, ids)).map((row) => [row.experience_id, row]));
  const stats = new Map<string, ExperienceStats>();
  for (const id of new Set([...counted.keys(), ...imported.keys()])) {
    const rows = [counted.get(id), imported.get(id)].flatMap((row) => row ?? []);
    const sum = (name: 'started_count' | 'completed_count' | 'exited_count' | 'displayed_count') =>
      rows.reduce((total, row) => total + Number(row[name]), 0);
    const last = (name: 'last_started_at' | 'last_completed_at' | 'last_exited_at' | 'last_displayed_at') =>
      toTimestampOrNull(Math.max(...rows.map((row) => row[name] ?? 0)) || null);
    stats.set(id, {
      started_count: sum('started_count'),
      completed_count: sum('completed_count'),
      exited_count: sum('exited_count'),
      displayed_count: sum('displayed_count'),
      last_started_at: last('last_started_at'),
      last_completed_at: last('last_completed_at'),
      last_exited_at: last('last_exited_at'),
      last_displayed_at: last('last_displayed_at'),
    });
  }
  return stats;
}

function loadImportedTotals(ctx: Context, ids: string[]) {
  if (ids.length === 0) return [];
  return ctx.db
    .selectFrom('imported_totals')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', 'in', ids)
    .execute();
}
