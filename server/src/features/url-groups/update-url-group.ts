import type { UpdateUrlGroup, UrlGroup } from '@usher/domain';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { bumpPublishedVersion } from '../../published/bump-published-version.ts';
import { recordRelatedChanges } from '../experiences/record-related-changes.ts';
import { presentUrlGroup, selectUrlGroup } from './queries.ts';

export async function updateUrlGroup(ctx: Context, id: string, params: UpdateUrlGroup): Promise<UrlGroup> {
  const { urls_action_on_archive: action, ...wanted } = params;
  if (wanted.style_short_name_color) wanted.style_short_name_color = wanted.style_short_name_color.toUpperCase();
  return ctx.transaction(async (ctx) => {
    const before = await ctx.dialect.lockRows(selectUrlGroup(ctx, id)).executeTakeFirst();
    if (!before) throw notFound('Environment');
    if (typeof wanted.archived_at === 'number' && action === 'archive')
      await archiveUrlsOf(ctx, id, wanted.archived_at);
    const keys = Object.keys(wanted) as (keyof typeof wanted)[];
    if (keys.every((key) => before[key] === wanted[key])) return presentUrlGroup(before);
    const row = await ctx.db
      .updateTable('url_groups')
      .set({ ...wanted, updated_at: ctx.now() })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordRelatedChanges(ctx, 'url_groups', presentUrlGroup(before), presentUrlGroup(row));
    await bumpPublishedVersion(ctx);
    return presentUrlGroup(row);
  });
}

/** A Url that was archived before keeps its own time. */
async function archiveUrlsOf(ctx: Context, urlGroupId: string, archivedAt: number): Promise<void> {
  await ctx.db
    .updateTable('urls')
    .set({ archived_at: archivedAt, updated_at: ctx.now() })
    .where('account_id', '=', ctx.account.id)
    .where('url_group_id', '=', urlGroupId)
    .where('archived_at', 'is', null)
    .execute();
  await bumpPublishedVersion(ctx);
}
