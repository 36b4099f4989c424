import type { CreateTag, Tag } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { presentTag } from '../tag-records/present-tag.ts';
import { toTagUid, uidTaken } from './tag-uid.ts';

export async function createTag(ctx: Context, { uid: wanted, ...params }: CreateTag): Promise<Tag> {
  const uid = wanted === undefined ? toTagUid(params.name, 'name') : toTagUid(wanted, 'uid');
  return ctx.transaction(async (ctx) => {
    const row = await ctx.db
      .insertInto('tags')
      .values({ ...(await ctx.clock()).newRow(), uid, ...params })
      .onConflict((taken) => taken.columns(['account_id', 'uid']).doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!row) throw uidTaken(uid);
    return presentTag(ctx, row);
  });
}
