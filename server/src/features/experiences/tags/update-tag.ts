import { keysOf, type Tag, type UpdateTag } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { presentTag } from '../tag-records/present-tag.ts';
import { tagsOf } from '../tag-records/queries.ts';
import { toTagUid, uidTaken } from './tag-uid.ts';

/** A new name does not change the `uid`, because other systems may refer to the Tag by it. */
export async function updateTag(ctx: Context, id: string, params: UpdateTag): Promise<Tag> {
  const wanted = { ...params, ...(params.uid !== undefined && { uid: toTagUid(params.uid, 'uid') }) };
  return ctx.transaction(async (ctx) => {
    const before = await ctx.dialect.lockRows(tagsOf(ctx).where('id', '=', id)).executeTakeFirst();
    if (!before) throw notFound('Tag');
    const keys = keysOf(wanted);
    if (keys.every((key) => before[key] === wanted[key])) return presentTag(ctx, before);
    const { uid = before.uid } = wanted;
    // If two transactions choose the same name, the second violates the unique index, is retried, and finds the Tag here.
    const same = tagsOf(ctx).where('uid', '=', uid).where('id', '!=', id);
    if (await same.executeTakeFirst()) throw uidTaken(uid);
    const row = await ctx.db
      .updateTable('tags')
      .set({ ...wanted, updated_at: ctx.now() })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return presentTag(ctx, row);
  });
}
