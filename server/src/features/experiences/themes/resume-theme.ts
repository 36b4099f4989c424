import { type Theme, type ThemeDocument, toTimestamp } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { ApiError, conflict } from '../../../errors.ts';
import { versionsOf } from '../versions.ts';
import { checkSegments } from './check-segments.ts';
import { presentTheme } from './present-theme.ts';
import { lockTheme } from './queries.ts';
import { saveTheme } from './save-theme.ts';

/** Publishes what users saw before the theme was unpublished. Changes of the draft since then stay unpublished. */
export async function resumeTheme(ctx: Context, id: string): Promise<Theme> {
  const row = await ctx.transaction(async (ctx) => {
    const row = await lockTheme(ctx, id);
    // A theme is never scheduled, so users saw the version that is newest.
    const newest = versionsOf(ctx, id).select('versions.content').orderBy('versions.id', 'desc').limit(1);
    const paused = row.version_id === null ? await newest.executeTakeFirst() : undefined;
    if (!paused) throw conflict('This theme was not unpublished: publish it with `published_at`');
    const published = paused.content.document as unknown as ThemeDocument;
    await checkStillThere(ctx, published);
    // What users saw may have been imported, so its contrast may be too low.
    const draft = { ...row.draft, published_at: toTimestamp(ctx.now()) };
    return saveTheme(ctx, row, draft, { published, allowsLowContrast: true });
  });
  return presentTheme(ctx, row);
}

/** Rejects resuming if a Segment was deleted since: without it, a variation would be for other users than before. */
async function checkStillThere(ctx: Context, theme: ThemeDocument): Promise<void> {
  try {
    await checkSegments(ctx, null, theme);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 404)) throw error;
    throw conflict(
      `What users saw names Segments that were deleted since: publish the draft instead (${error.messages.join('; ')})`,
    );
  }
}
