import type { SavedReport } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { presentReport } from './queries.ts';

export async function deleteReport(ctx: Context, id: string): Promise<SavedReport> {
  return ctx.transaction(async (ctx) => {
    const row = await ctx.db
      .deleteFrom('reports')
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    if (!row) throw notFound('report');
    await recordAudit(ctx, 'report.delete', { type: 'report', id }, { name: row.name, kind: row.kind });
    return presentReport(ctx, row);
  });
}
