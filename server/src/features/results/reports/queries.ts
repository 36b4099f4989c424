import { createdAtOf, type SavedReport, toTimestamp } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import { dashboardUrl } from '../../../dashboard-url.ts';
import type { Schema } from '../../../db/schema.ts';
import { notFound } from '../../../errors.ts';

type ReportRow = Selectable<Schema['reports']>;

export function reportsOf(ctx: Context) {
  return ctx.db.selectFrom('reports').selectAll().where('account_id', '=', ctx.account.id);
}

export async function getReport(ctx: Context, id: string): Promise<ReportRow> {
  const row = await reportsOf(ctx).where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('report');
  return row;
}

export function presentReport(ctx: Context, row: ReportRow): SavedReport {
  const { id, name, description, kind, params } = row;
  return {
    ...{ id, created_at: toTimestamp(createdAtOf(row)), updated_at: toTimestamp(row.updated_at) },
    ...{ name, description, kind, params: { ...params } },
    dashboard_url: dashboardUrl(ctx, `analytics/reports/${id}`),
  };
}
