import { type Experience, type ExperienceKind, toTimestamp } from '@usher/domain';
import type { Context } from '../../context.ts';
import { conflict } from '../../errors.ts';
import { lockExperience, pausedAt, presentExperience } from './queries.ts';
import { storeDrafts } from './store-drafts.ts';
import { getVersion } from './versions.ts';

/** Publishes what users saw before the Experience was unpublished. Changes of the draft since then stay unpublished. */
export async function resumeExperience(ctx: Context, kind: ExperienceKind, id: string): Promise<Experience> {
  const row = await ctx.transaction(async (ctx) => {
    const row = await lockExperience(ctx, kind, id);
    if (row.paused_version_id === null || pausedAt(row) === null)
      throw conflict(`This ${kind} is not paused: publish it with \`published_at\``);
    const { content } = await getVersion(ctx, id, row.paused_version_id);
    const draft = { ...row.draft, published_at: toTimestamp(ctx.now()) };
    const [stored = row] = await storeDrafts(ctx, [{ row, draft, content }]);
    return stored;
  });
  return presentExperience(ctx, row);
}
