import type { Context } from '../../../context.ts';
import { tagsOf } from '../tag-records/queries.ts';

interface NamedTag {
  uid: string;
  name: string;
}

/**
 * Locks the Tags with these names, and creates those of them that are to be added and do not exist yet. Returns a function
 * that finds the ID of a Tag by its `uid`. Existing Tags are locked before the account clock.
 */
export async function ensureTags(
  ctx: Context,
  { added, others }: { added: readonly NamedTag[]; others: readonly NamedTag[] },
): Promise<(uid: string) => string | undefined> {
  const uids = [...new Set([...added, ...others].map(({ uid }) => uid))];
  if (uids.length === 0) return () => undefined;
  const find = () => ctx.dialect.lockRows(tagsOf(ctx).where('uid', 'in', uids).orderBy('id')).execute();
  let tags = await find();
  const known = new Set(tags.map(({ uid }) => uid));
  const missing = new Map(added.filter(({ uid }) => !known.has(uid)).map(({ uid, name }) => [uid, name]));
  if (missing.size > 0) {
    const clock = await ctx.clock();
    await ctx.db
      .insertInto('tags')
      .values([...missing].map(([uid, name]) => ({ ...clock.newRow(), uid, name })))
      .onConflict((taken) => taken.columns(['account_id', 'uid']).doNothing())
      .execute();
    tags = await find();
  }
  const ids = new Map(tags.map(({ uid, id }) => [uid, id]));
  return (uid) => ids.get(uid);
}
