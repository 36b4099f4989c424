import type { Tag } from '@usher/domain';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { experiencesUsing } from '../experiences/experiences-using.ts';
import { storeDraft } from '../experiences/store-drafts.ts';
import { getTag, presentTag, tagsOf } from './queries.ts';

/**
 * Deletes a Tag and removes it from all Experiences. The order of locks is that of adding a Tag to an Experience: the
 * Experience, the Tag, the account clock, which `storeDraft` takes. In another order two transactions could wait for
 * each other.
 */
export async function deleteTag(ctx: Context, id: string): Promise<Tag> {
  return ctx.transaction(async (ctx) => {
    await getTag(ctx, id);
    await lockTaggedExperiences(ctx, id);
    const tag = await ctx.dialect.lockRows(tagsOf(ctx).where('id', '=', id)).executeTakeFirst();
    if (!tag) throw notFound('Tag');
    // This also finds Experiences that got the Tag before it was locked.
    for (const row of await lockTaggedExperiences(ctx, id))
      await storeDraft(ctx, row, { ...row.draft, tag_ids: row.draft.tag_ids.filter((tagId) => tagId !== id) });
    await ctx.db.deleteFrom('tags').where('account_id', '=', ctx.account.id).where('id', '=', id).execute();
    return presentTag(tag);
  });
}

function lockTaggedExperiences(ctx: Context, tagId: string) {
  return ctx.dialect.lockRows(experiencesUsing(ctx, tagId).orderBy('id')).execute();
}
