import { type CreateLimitGroup, type ShownLimitGroup, writeLimitGroup } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { invalid } from '../../../errors.ts';
import { bumpPublishedVersion } from '../../../published/bump-published-version.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { checkMembers } from '../group-members/check-members.ts';
import { memberColumns } from '../group-members/member-columns.ts';
import { presentLimitGroup } from './present-limit-group.ts';

export async function createLimitGroup(ctx: Context, params: CreateLimitGroup): Promise<ShownLimitGroup> {
  const problems: string[] = [];
  const values = writeLimitGroup(undefined, params, problems);
  if (problems.length > 0) throw invalid(...problems);
  return ctx.transaction(async (ctx) => {
    await checkMembers(ctx, values);
    const row = await ctx.db
      .insertInto('limit_groups')
      .values({ ...(await ctx.clock()).newRow(), ...memberColumns(values) })
      .returningAll()
      .executeTakeFirstOrThrow();
    const { name, kind, max_count, period_hours, max_steps, max_seconds } = values;
    await recordAudit(
      ctx,
      'limit_group.create',
      { type: 'limit_group', id: row.id },
      { name, kind, max_count, period_hours, max_steps, max_seconds },
    );
    await bumpPublishedVersion(ctx);
    return presentLimitGroup(row);
  });
}
