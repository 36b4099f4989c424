import { type CreateAlertGroup, type ShownAlertGroup, writeAlertGroup } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { invalid } from '../../../errors.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { checkMembers } from '../group-members/check-members.ts';
import { alertGroupColumns } from './alert-group-columns.ts';
import { presentAlertGroup } from './present-alert-group.ts';

export async function createAlertGroup(ctx: Context, params: CreateAlertGroup): Promise<ShownAlertGroup> {
  const problems: string[] = [];
  const values = writeAlertGroup(undefined, params, problems);
  if (problems.length > 0) throw invalid(...problems);
  return ctx.transaction(async (ctx) => {
    await checkMembers(ctx, values);
    const row = await ctx.db
      .insertInto('alert_groups')
      .values({ ...(await ctx.clock()).newRow(), ...alertGroupColumns(values) })
      .returningAll()
      .executeTakeFirstOrThrow();
    const { name, kind, style, interval } = values;
    await recordAudit(ctx, 'alert_group.create', { type: 'alert_group', id: row.id }, { name, kind, style, interval });
    return presentAlertGroup(row);
  });
}
