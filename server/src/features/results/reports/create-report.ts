import { type CreateReport, MAX_SAVED_REPORTS, readReportParams, type SavedReport } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { invalid } from '../../../errors.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { presentReport, reportsOf } from './queries.ts';

export async function createReport(
  ctx: Context,
  { name, description = null, kind, params = {} }: CreateReport,
): Promise<SavedReport> {
  const problems: string[] = [];
  const read = readReportParams(kind, params, ctx.now(), problems);
  if (problems.length > 0) throw invalid(...problems);
  return ctx.transaction(async (ctx) => {
    const clock = await ctx.clock();
    const known = await reportsOf(ctx).clearSelect().select('id').limit(MAX_SAVED_REPORTS).execute();
    if (known.length >= MAX_SAVED_REPORTS)
      throw invalid(`An account has at most ${MAX_SAVED_REPORTS} reports: delete one first`);
    const row = await ctx.db
      .insertInto('reports')
      .values({ ...clock.newRow(), name, description, kind, params: JSON.stringify(read) })
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordAudit(ctx, 'report.create', { type: 'report', id: row.id }, { name, kind });
    return presentReport(ctx, row);
  });
}
