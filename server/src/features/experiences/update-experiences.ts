import { type ListedExperience, toTimestamp } from '@usher/domain';
import type { Context } from '../../context.ts';
import { invalid } from '../../errors.ts';
import { lockExperiences } from './change-environments.ts';
import { presentListed } from './present-listed.ts';
import { storeDrafts } from './store-drafts.ts';
import { addOrRemove } from './update-experience.ts';

interface BatchUpdate {
  ids: string[];
  tag_id?: string;
  archived_at?: number | null;
}

/** Changes all Experiences, or none if one is unknown or cannot be changed. */
export async function updateExperiences(
  ctx: Context,
  { ids, tag_id, archived_at }: BatchUpdate,
): Promise<ListedExperience[]> {
  if (tag_id === undefined && archived_at === undefined)
    throw invalid('`tag_id` is required, or `archived_at`: give what to change');
  const archived =
    archived_at === undefined ? {} : { archived_at: archived_at === null ? null : toTimestamp(archived_at) };
  const stored = await ctx.transaction(async (ctx) => {
    const rows = await lockExperiences(ctx, ids);
    const drafts = rows.map((row) => ({
      row,
      draft: { ...addOrRemove(row.draft, 'tag_ids', tag_id), ...archived },
    }));
    return storeDrafts(ctx, drafts);
  });
  return presentListed(ctx, stored, false);
}
