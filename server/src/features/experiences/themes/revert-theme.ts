import type { Diff, Theme, ThemeDocument } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { invalid } from '../../../errors.ts';
import { loadChangesAfter } from '../changes/load-changes-after.ts';
import { getVersion } from '../versions.ts';
import { presentTheme } from './present-theme.ts';
import { lockTheme, type ThemeRow } from './queries.ts';
import { saveTheme } from './save-theme.ts';

/** Restores the look after a Change, or of a version. It does not change whether the theme is published or the default. */
export async function revertTheme(
  ctx: Context,
  id: string,
  to: { change_id?: string; version_id?: string },
): Promise<Theme> {
  const row = await ctx.transaction(async (ctx) => {
    const row = await lockTheme(ctx, id);
    if (to.change_id === undefined && to.version_id === undefined)
      throw invalid('`change_id` is required: give the ID of the Change, or `version_id`, to go back to');
    const wanted = to.version_id
      ? ((await getVersion(ctx, id, to.version_id)).content.document as unknown as ThemeDocument)
      : await undoChangesAfter(ctx, row, to.change_id as string);
    const { published_at, default: isDefault } = row.draft;
    return saveTheme(ctx, row, { ...wanted, published_at, default: isDefault }, { kind: 'revert' });
  });
  return presentTheme(ctx, row);
}

async function undoChangesAfter(ctx: Context, { id, draft }: ThemeRow, changeId: string): Promise<ThemeDocument> {
  const newer = await loadChangesAfter(ctx, id, changeId, 'theme');
  const undone: Record<string, unknown> = { ...draft };
  for (const { object } of newer) for (const [name, diff] of Object.entries(object)) undone[name] = (diff as Diff)[0];
  return undone as ThemeDocument;
}
