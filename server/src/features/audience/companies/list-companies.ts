import { type EmbeddedCompany, type ExpandLevel, type Filter, type GroupOp, toCondition } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { type ListPage, listPage, type PageParameters } from '../../../db/pagination/list-page.ts';
import { MAX_SEARCH_MS, scanPage } from '../../../db/pagination/scan-page.ts';
import { conditionSql } from '../filters/condition-sql.ts';
import { embedCompany } from './present-company.ts';

/** Filters are tested on each Company, in chunks, as for profiles. */
export async function listCompanies(
  ctx: Context,
  {
    filters = [],
    filters_op,
    expand,
    ...page
  }: { filters?: Filter[]; filters_op: GroupOp; expand: { company: ExpandLevel } } & PageParameters,
): Promise<{ companies: EmbeddedCompany[]; cursor: ListPage<unknown>['cursor'] }> {
  const scope = { accountId: ctx.account.id, dialect: ctx.dialect, now: ctx.now() };
  const condition = toCondition(filters, filters_op, 'company');
  const all = ctx.heavyDb.selectFrom('companies').where('account_id', '=', ctx.account.id);
  const matching = all.selectAll().where(conditionSql(condition, scope));
  const scan = { all, matching: () => matching, idColumn: 'id', now: ctx.now, signal: ctx.request?.signal };
  const { rows, cursor } =
    filters.length > 0 ? await scanPage({ ...scan, maxMs: MAX_SEARCH_MS }, page) : await listPage(matching, page);
  return { companies: rows.map((row) => embedCompany(row, expand.company) ?? { id: row.id }), cursor };
}
