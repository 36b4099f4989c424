import type { Tag, UpdateTag } from '@usher/domain';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { presentTag, tagsOf, uidOf, uidTaken } from './queries.ts';

/** A new name leaves the `uid` as it was: others may know the Tag by it. */
export async function updateTag(ctx: Context, id: string, params: UpdateTag): Promise<Tag> {
  const wanted = { ...params, ...(params.uid !== undefined && { uid: uidOf(params.uid, 'uid') }) };
  return ctx.transaction(async (ctx) => {
    const before = await ctx.dialect.lockRows(tagsOf(ctx).where('id', '=', id)).executeTakeFirst();
    if (!before) throw notFound('Tag');
    const keys = Object.keys(wanted) as (keyof UpdateTag)[];
    if (keys.every((key) => before[key] === wanted[key])) return presentTag(before);
    const { uid = before.uid } = wanted;
    // Of two who take it at once, the second collides, and finds it here when it is run again.
    const same = tagsOf(ctx).where('uid', '=', uid).where('id', '!=', id);
    if (await same.executeTakeFirst()) throw uidTaken(uid);
    const row = await ctx.db
      .updateTable('tags')
      .set({ ...wanted, updated_at: ctx.now() })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return presentTag(row);
  });
}
