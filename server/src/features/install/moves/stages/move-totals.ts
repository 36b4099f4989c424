import { isRecord } from '@usher/domain';
import type { Context } from '../../../../context.ts';
import { loadExperienceCounts } from '../../../results/counts/load-experience-counts.ts';
import { recount } from '../../../results/counts/use-counts.ts';
import type { MoveRun } from '../move-run.ts';
import { readNumber, readTime } from '../read-record.ts';
import type { SourceExperience } from './read-experiences.ts';

const states = ['started', 'completed', 'exited', 'displayed'] as const;

/**
 * Counts what was imported, and stores the totals of the other service beyond it: a service gives no rows for some kinds, and the last
 * state of each user only. Once users come here, their own rows are counted too, so totals stay as they are after the release.
 */
export async function moveTotals(
  run: MoveRun,
  experiences: readonly SourceExperience[],
  isReleased: boolean,
): Promise<void> {
  run.begin('totals');
  if (run.isDry) return;
  await run.store(async (ctx) => {
    await recount(ctx);
    return {};
  });
  if (!isReleased)
    await run.store(async (ctx) => {
      await storeTotals(ctx, experiences);
      return { done: experiences.length, total: experiences.length };
    });
  await run.finish();
}

async function storeTotals(ctx: Context, experiences: readonly SourceExperience[]): Promise<void> {
  const ids = experiences.map(({ record }) => record.id);
  const counted = new Map((await loadExperienceCounts(ctx, ids)).map((row) => [row.experience_id, row]));
  for (const { record } of experiences) {
    const stats = isRecord(record.stats) ? record.stats : {};
    const own = counted.get(record.id);
    const counts = states.map((state) => {
      const name = `${state}_count` as const;
      return [name, Math.max(0, (readNumber(stats[name]) ?? 0) - Number(own?.[name] ?? 0))] as const;
    });
    const times = states.map((state) => [`last_${state}_at`, readTime(stats[`last_${state}_at`])] as const);
    if ([...counts, ...times].every(([, value]) => !value)) continue;
    const row = Object.fromEntries([...counts, ...times]) as Record<`${(typeof states)[number]}_count`, number>;
    await ctx.db
      .insertInto('imported_totals')
      .values({ account_id: ctx.account.id, experience_id: record.id, ...row })
      .onConflict((known) => known.columns(['account_id', 'experience_id']).doUpdateSet(row))
      .execute();
  }
}
