import type { CreateLimitGroup, ShownLimitGroup } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { bumpPublishedVersion } from '../../../published/bump-published-version.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { checkLimitedExperiences } from './check-limited-experiences.ts';
import { presentLimitGroup } from './present-limit-group.ts';

export async function createLimitGroup(
  ctx: Context,
  { name, max_count, period_hours, experience_ids: ids }: CreateLimitGroup,
): Promise<ShownLimitGroup> {
  const experience_ids = [...new Set(ids)];
  return ctx.transaction(async (ctx) => {
    await checkLimitedExperiences(ctx, experience_ids);
    const row = await ctx.db
      .insertInto('limit_groups')
      .values({
        ...(await ctx.clock()).newRow(),
        name,
        max_count,
        period_hours,
        experience_ids: JSON.stringify(experience_ids),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordAudit(
      ctx,
      'limit_group.create',
      { type: 'limit_group', id: row.id },
      { name, max_count, period_hours },
    );
    await bumpPublishedVersion(ctx);
    return presentLimitGroup(row);
  });
}
