import { readMemberKind, type ShownAlertGroup, type UpdateAlertGroup, writeAlertGroup } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { invalid, notFound } from '../../../errors.ts';
import { checkSeen } from '../../../http/check-seen.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { checkMembers } from '../group-members/check-members.ts';
import { alertGroupColumns } from './alert-group-columns.ts';
import { presentAlertGroup } from './present-alert-group.ts';
import { alertGroupsOf } from './queries.ts';

export async function updateAlertGroup(
  ctx: Context,
  id: string,
  { updated_at: seen, ...params }: UpdateAlertGroup,
): Promise<ShownAlertGroup> {
  const { campaign_ids, experience_ids = campaign_ids ?? [], tag_ids = [] } = params;
  return ctx.transaction(async (ctx) => {
    await checkMembers(ctx, { experience_ids: [...new Set(experience_ids)], tag_ids: [...new Set(tag_ids)] });
    const before = await ctx.dialect.lockRows(alertGroupsOf(ctx).where('id', '=', id)).executeTakeFirst();
    if (!before) throw notFound('alert group');
    checkSeen(seen, before, 'alert group');
    const problems: string[] = [];
    const stored = { ...before, kind: readMemberKind(before), interval: before.interval_days };
    const values = writeAlertGroup(stored, params, problems);
    if (problems.length > 0) throw invalid(...problems);
    if (JSON.stringify(values) === JSON.stringify(writeAlertGroup(stored, {}, []))) return presentAlertGroup(before);
    const row = await ctx.db
      .updateTable('alert_groups')
      .set({ ...alertGroupColumns(values), updated_at: ctx.now() })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const { name, kind, style, interval } = values;
    await recordAudit(ctx, 'alert_group.update', { type: 'alert_group', id }, { name, kind, style, interval });
    return presentAlertGroup(row);
  });
}
