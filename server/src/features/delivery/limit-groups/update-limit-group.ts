import type { ShownLimitGroup, UpdateLimitGroup } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { checkSeen } from '../../../http/check-seen.ts';
import { bumpPublishedVersion } from '../../../published/bump-published-version.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { checkLimitedExperiences } from './check-limited-experiences.ts';
import { presentLimitGroup } from './present-limit-group.ts';
import { limitGroupsOf } from './queries.ts';

export async function updateLimitGroup(
  ctx: Context,
  id: string,
  { updated_at: seen, ...params }: UpdateLimitGroup,
): Promise<ShownLimitGroup> {
  const experienceIds = params.experience_ids && [...new Set(params.experience_ids)];
  return ctx.transaction(async (ctx) => {
    await checkLimitedExperiences(ctx, experienceIds ?? []);
    const before = await ctx.dialect.lockRows(limitGroupsOf(ctx).where('id', '=', id)).executeTakeFirst();
    if (!before) throw notFound('limit group');
    checkSeen(seen, before, 'limit group');
    const after = { ...before, ...params, ...(experienceIds && { experience_ids: experienceIds }) };
    if (JSON.stringify(after) === JSON.stringify(before)) return presentLimitGroup(before);
    const { name, max_count, period_hours, experience_ids } = after;
    const row = await ctx.db
      .updateTable('limit_groups')
      .set({
        updated_at: ctx.now(),
        name,
        max_count,
        period_hours,
        experience_ids: JSON.stringify(experience_ids),
      })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordAudit(ctx, 'limit_group.update', { type: 'limit_group', id }, { name, max_count, period_hours });
    await bumpPublishedVersion(ctx);
    return presentLimitGroup(row);
  });
}
