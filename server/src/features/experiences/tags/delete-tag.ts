import type { Tag } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { TransactionConflict } from '../../../db/transaction-conflict.ts';
import { notFound } from '../../../errors.ts';
import { bumpPublishedVersion } from '../../../published/bump-published-version.ts';
import { removeFromGroups } from '../../delivery/group-members/remove-from-groups.ts';
import { experiencesUsing } from '../experiences-using.ts';
import { storeDraft } from '../store-drafts.ts';
import { presentTag } from '../tag-records/present-tag.ts';
import { getTag, tagsOf } from '../tag-records/queries.ts';

/**
 * Deletes a Tag and removes it from all Experiences. The order of locks is that of adding a Tag to an Experience: the
 * Experience, the Tag, groups, the account clock, which `storeDraft` takes. In another order two transactions could deadlock.
 * If another Experience got the Tag before the Tag was locked, the transaction begins again.
 */
export async function deleteTag(ctx: Context, id: string): Promise<Tag> {
  return ctx.transaction(async (ctx) => {
    await getTag(ctx, id);
    const experiences = await ctx.dialect.lockRows(experiencesUsing(ctx, id).orderBy('id')).execute();
    const tag = await ctx.dialect.lockRows(tagsOf(ctx).where('id', '=', id)).executeTakeFirst();
    if (!tag) throw notFound('Tag');
    const locked = experiences.map((experience) => experience.id);
    const others = experiencesUsing(ctx, id).where((eb) => eb.not(eb('id', 'in', [...locked, ''])));
    if (await others.executeTakeFirst()) throw new TransactionConflict('An Experience got the Tag meanwhile');
    if (await removeFromGroups(ctx, 'tag_ids', id)) await bumpPublishedVersion(ctx);
    for (const row of experiences)
      await storeDraft(ctx, row, { ...row.draft, tag_ids: row.draft.tag_ids.filter((tagId) => tagId !== id) });
    await ctx.db.deleteFrom('tags').where('account_id', '=', ctx.account.id).where('id', '=', id).execute();
    return presentTag(ctx, tag);
  });
}
