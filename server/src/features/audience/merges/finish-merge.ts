import type { Context } from '../../../context.ts';
import { addUseCounts, type UseCounts } from '../../results/counts/use-counts.ts';
import { moveSamples } from '../properties/move-samples.ts';
import type { Merge } from './merge-anonymous.ts';
import type { MovedUse } from './move-use.ts';

interface MergedProfiles {
  anonymousId: string;
  id: string;
  moved: MovedUse;
  /** What both profiles added to the counts of results before, and what the one that is left adds. */
  before: UseCounts;
  after: UseCounts;
}

/** Does the rest of a merge with the clock of the account: counts, sample values, and the order of what was updated. */
export function createFinish(ctx: Context, { anonymousId, id, moved, before, after }: MergedProfiles): Merge {
  return {
    finish: async () => {
      const { at: updated_at, tick: updated_tick } = await ctx.clock();
      await addUseCounts(ctx, before, -1);
      await addUseCounts(ctx, after, 1);
      if (moved.experienceIds.length > 0)
        for (const table of ['interactions', 'responses'] as const)
          await ctx.db
            .updateTable(table)
            .set({ updated_at, updated_tick })
            .where('account_id', '=', ctx.account.id)
            .where('profile_id', '=', id)
            .where('experience_id', 'in', moved.experienceIds)
            .execute();
      await moveSamples(ctx, anonymousId, id);
    },
  };
}
