import type { CreateTag, Tag } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { presentTag } from './present-tag.ts';
import { toTagUid, uidTaken } from './tag-uid.ts';

export async function createTag(ctx: Context, { name, ...params }: CreateTag): Promise<Tag> {
  const uid = params.uid === undefined ? toTagUid(name, 'name') : toTagUid(params.uid, 'uid');
  return ctx.transaction(async (ctx) => {
    const row = await ctx.db
      .insertInto('tags')
      .values({ ...(await ctx.clock()).newRow(), uid, name })
      .onConflict((taken) => taken.columns(['account_id', 'uid']).doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!row) throw uidTaken(uid);
    return presentTag(row);
  });
}
