import { type Company, type Filter, type GroupOp, toCondition } from '@usher/domain';
import type { Context } from '../../context.ts';
import { type ListPage, listPage, type PageParameters } from '../../db/pagination/list-page.ts';
import { conditionSql } from '../filters/condition-sql.ts';
import { presentCompany } from './queries.ts';

export async function listCompanies(
  ctx: Context,
  { filters = [], filters_op, ...page }: { filters?: Filter[]; filters_op: GroupOp } & PageParameters,
): Promise<{ companies: Company[]; cursor: ListPage<unknown>['cursor'] }> {
  const scope = { accountId: ctx.account.id, json: ctx.dialect.json, now: ctx.now() };
  const condition = toCondition(filters, filters_op, 'company');
  const query = ctx.heavyDb
    .selectFrom('companies')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where(conditionSql(condition, scope));
  const { rows, cursor } = await listPage(query, page);
  return { companies: rows.map(presentCompany), cursor };
}
