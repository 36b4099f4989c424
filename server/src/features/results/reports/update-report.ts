import { nextUpdatedAt, readReportParams, type SavedReport, type UpdateReport } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { invalid, notFound } from '../../../errors.ts';
import { checkSeen } from '../../../http/check-seen.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { presentReport, reportsOf } from './queries.ts';

export async function updateReport(
  ctx: Context,
  id: string,
  { updated_at: seen, params, ...given }: UpdateReport,
): Promise<SavedReport> {
  return ctx.transaction(async (ctx) => {
    const before = await ctx.dialect.lockRows(reportsOf(ctx).where('id', '=', id)).executeTakeFirst();
    if (!before) throw notFound('report');
    checkSeen(seen, before, 'report');
    const problems: string[] = [];
    const read = params ? readReportParams(before.kind, params, ctx.now(), problems) : before.params;
    if (problems.length > 0) throw invalid(...problems);
    const { name = before.name, description = before.description } = given;
    const after = presentReport(ctx, { ...before, name, description, params: read });
    if (sorted(after) === sorted(presentReport(ctx, before))) return after;
    const row = await ctx.db
      .updateTable('reports')
      .set({ name, description, params: JSON.stringify(read), updated_at: nextUpdatedAt(before.updated_at, ctx.now()) })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordAudit(ctx, 'report.update', { type: 'report', id }, { name, kind: row.kind });
    return presentReport(ctx, row);
  });
}

/** PostgreSQL reorders the keys of JSON. */
function sorted({ params, ...report }: SavedReport): string {
  return JSON.stringify([report, Object.entries(params).sort()]);
}
