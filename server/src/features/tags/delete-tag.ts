import type { Tag } from '@usher/domain';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { experiencesUsing } from '../experiences/experiences-using.ts';
import { storeDraft } from '../experiences/store-drafts.ts';
import { getTag, presentTag, tagsOf } from './queries.ts';

/** Whoever gives an Experience this Tag holds the Experience, then the Tag: so does this, and looks again. */
export async function deleteTag(ctx: Context, id: string): Promise<Tag> {
  return ctx.transaction(async (ctx) => {
    await getTag(ctx, id);
    await takeOut(ctx, id);
    const row = await ctx.dialect.lockRows(tagsOf(ctx).where('id', '=', id)).executeTakeFirst();
    if (!row) throw notFound('Tag');
    await takeOut(ctx, id);
    await ctx.db.deleteFrom('tags').where('account_id', '=', ctx.account.id).where('id', '=', id).execute();
    return presentTag(row);
  });
}

async function takeOut(ctx: Context, id: string): Promise<void> {
  for (const row of await ctx.dialect.lockRows(experiencesUsing(ctx, 'tags', id).orderBy('id')).execute())
    await storeDraft(ctx, row, { ...row.draft, tag_ids: row.draft.tag_ids.filter((one) => one !== id) });
}
