import { listKindsWith, type Members } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { ApiError } from '../../../errors.ts';
import { checkExperienceIds } from '../../experiences/ids/check-experience-ids.ts';

/**
 * Rejects everything but tours, surveys and Tags. They are locked before any group, as when one of them is deleted:
 * so either the deletion finds the group, or the record is not found here.
 */
export async function checkMembers(ctx: Context, { experience_ids, tag_ids }: Omit<Members, 'kind'>): Promise<void> {
  await checkExperienceIds(ctx, experience_ids, { kinds: listKindsWith('isExclusive'), lock: true });
  if (tag_ids.length === 0) return;
  const query = ctx.db.selectFrom('tags').select('id').where('account_id', '=', ctx.account.id);
  const tags = await ctx.dialect.lockRows(query.where('id', 'in', tag_ids).orderBy('id')).execute();
  const found = new Set(tags.map(({ id }) => id));
  const problems = tag_ids.flatMap((id, at) =>
    found.has(id) ? [] : [`\`tag_ids[${at}]\` is the ID of no Tag in this account`],
  );
  if (problems.length > 0) throw new ApiError(404, problems);
}
