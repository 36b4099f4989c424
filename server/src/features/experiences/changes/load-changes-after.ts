import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';

/** Loads everything that was written after a Change of an Experience or a theme, the latest first. */
export async function loadChangesAfter(ctx: Context, id: string, changeId: string, what = 'Experience') {
  const changes = ctx.db.selectFrom('changes').where('account_id', '=', ctx.account.id).where('experience_id', '=', id);
  const target = await changes.select('write_id').where('id', '=', changeId).executeTakeFirst();
  if (!target) throw notFound(`Change of this ${what}`);
  return changes
    .select(['write_id', 'kind', 'op', 'model_id', 'model_type', 'path', 'object'])
    .where('id', '>', target.write_id)
    .where('write_id', '>', target.write_id)
    .where('kind', '<>', 'related')
    .orderBy('id', 'desc')
    .execute();
}
