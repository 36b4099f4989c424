import type { ShownLimitGroup } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { bumpPublishedVersion } from '../../../published/bump-published-version.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { presentLimitGroup } from './present-limit-group.ts';

export async function deleteLimitGroup(ctx: Context, id: string): Promise<ShownLimitGroup> {
  return ctx.transaction(async (ctx) => {
    const row = await ctx.db
      .deleteFrom('limit_groups')
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    if (!row) throw notFound('limit group');
    await recordAudit(ctx, 'limit_group.delete', { type: 'limit_group', id }, { name: row.name });
    await bumpPublishedVersion(ctx);
    return presentLimitGroup(row);
  });
}
