import { type Document, type Experience, type ExperienceKind, toTimestamp } from '@usher/domain';
import type { Context } from '../../context.ts';
import { ApiError, conflict } from '../../errors.ts';
import { checkReferences } from './check-references.ts';
import { presentExperience } from './present-experience.ts';
import { pausedAt } from './publication-state.ts';
import { lockExperience } from './queries.ts';
import { storeDrafts } from './store-drafts.ts';
import { getVersion } from './versions.ts';

/** Publishes what users saw before the Experience was unpublished. Changes of the draft since then stay unpublished. */
export async function resumeExperience(ctx: Context, kind: ExperienceKind, id: string): Promise<Experience> {
  const row = await ctx.transaction(async (ctx) => {
    const row = await lockExperience(ctx, kind, id);
    if (row.paused_version_id === null || pausedAt(row) === null)
      throw conflict(`This ${kind} is not paused: publish it with \`published_at\``);
    const { content } = await getVersion(ctx, id, row.paused_version_id);
    await checkStillThere(ctx, row.draft, content.document);
    const draft = { ...row.draft, published_at: toTimestamp(ctx.now()) };
    const [stored = row] = await storeDrafts(ctx, [{ row, draft, content }]);
    return stored;
  });
  return presentExperience(ctx, row);
}

/**
 * Rejects resuming if a Segment was deleted since: without it, the Experience would show to other users than before.
 * Deleted Tags do not matter, because they change nothing for users.
 */
async function checkStillThere(ctx: Context, draft: Document, document: Document): Promise<void> {
  try {
    await checkReferences(ctx, draft, { ...document, tag_ids: [] });
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 404)) throw error;
    throw conflict(
      `What users saw names records that were deleted since: publish the draft instead (${error.messages.join('; ')})`,
    );
  }
}
