import type { ShownAlertGroup } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { presentAlertGroup } from './present-alert-group.ts';

export async function deleteAlertGroup(ctx: Context, id: string): Promise<ShownAlertGroup> {
  return ctx.transaction(async (ctx) => {
    const row = await ctx.db
      .deleteFrom('alert_groups')
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    if (!row) throw notFound('alert group');
    await recordAudit(ctx, 'alert_group.delete', { type: 'alert_group', id }, { name: row.name });
    return presentAlertGroup(row);
  });
}
