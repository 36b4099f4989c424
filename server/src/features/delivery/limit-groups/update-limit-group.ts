import { readMemberKind, type ShownLimitGroup, type UpdateLimitGroup, writeLimitGroup } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { invalid, notFound } from '../../../errors.ts';
import { checkSeen } from '../../../http/check-seen.ts';
import { bumpPublishedVersion } from '../../../published/bump-published-version.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { checkMembers } from '../group-members/check-members.ts';
import { memberColumns } from '../group-members/member-columns.ts';
import { presentLimitGroup } from './present-limit-group.ts';
import { limitGroupsOf } from './queries.ts';

export async function updateLimitGroup(
  ctx: Context,
  id: string,
  { updated_at: seen, ...params }: UpdateLimitGroup,
): Promise<ShownLimitGroup> {
  const { campaign_ids, experience_ids = campaign_ids ?? [], tag_ids = [] } = params;
  return ctx.transaction(async (ctx) => {
    await checkMembers(ctx, { experience_ids: [...new Set(experience_ids)], tag_ids: [...new Set(tag_ids)] });
    const before = await ctx.dialect.lockRows(limitGroupsOf(ctx).where('id', '=', id)).executeTakeFirst();
    if (!before) throw notFound('limit group');
    checkSeen(seen, before, 'limit group');
    const problems: string[] = [];
    const stored = { ...before, kind: readMemberKind(before) };
    const values = writeLimitGroup(stored, params, problems);
    if (problems.length > 0) throw invalid(...problems);
    if (JSON.stringify(values) === JSON.stringify(writeLimitGroup(stored, {}, []))) return presentLimitGroup(before);
    const row = await ctx.db
      .updateTable('limit_groups')
      .set({ ...memberColumns(values), updated_at: ctx.now() })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const { name, kind, max_count, period_hours, max_steps, max_seconds } = values;
    await recordAudit(
      ctx,
      'limit_group.update',
      { type: 'limit_group', id },
      { name, kind, max_count, period_hours, max_steps, max_seconds },
    );
    await bumpPublishedVersion(ctx);
    return presentLimitGroup(row);
  });
}
