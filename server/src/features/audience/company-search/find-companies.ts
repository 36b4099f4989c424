import { type CompanySummary, type FindCompanies, toCondition } from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { listPage } from '../../../db/pagination/list-page.ts';
import { type ScannedPage, scanPage } from '../../../db/pagination/scan-page.ts';
import type { CompanyRow } from '../companies/queries.ts';
import { conditionSql } from '../filters/condition-sql.ts';
import { readPlainPlace, searchByText } from '../profile-search/search-by-text.ts';
import { casesOf, nameContains, startsWith } from '../profile-search/text-sql.ts';
import { presentCompanies } from './present-companies.ts';

const idColumn = 'companies.id';

/** Lists Companies, newest first: all, or the ones that match filters or a text. */
export async function findCompanies(
  ctx: Context,
  params: FindCompanies,
): Promise<{ companies: CompanySummary[]; is_complete: boolean; cursor: ScannedPage<unknown>['cursor'] }> {
  const { rows, isComplete, cursor } = await readPage(ctx, params);
  return { companies: await presentCompanies(ctx, rows), is_complete: isComplete, cursor };
}

async function readPage(ctx: Context, params: FindCompanies): Promise<ScannedPage<CompanyRow>> {
  const { text, filters = [], filters_op, limit, before } = params;
  const all = ctx.heavyDb.selectFrom('companies').where('companies.account_id', '=', ctx.account.id);
  const scope = { accountId: ctx.account.id, dialect: ctx.dialect, now: ctx.now() };
  const found = all.selectAll().where(conditionSql(toCondition(filters, filters_op, 'company'), scope));
  const matching = () => found;
  if (text !== undefined) {
    const wanted = text.trim();
    const beginnings = casesOf(wanted).map((uid) => startsWith(sql.ref('companies.uid'), uid));
    const name = nameContains(sql.ref('companies.custom'), wanted, ctx.dialect.json);
    return searchByText(ctx, { table: all, all, matching, idColumn, beginnings, name }, { limit, before });
  }
  const place = readPlainPlace(before);
  const page = { limit, ...(place !== undefined && { before: place }) };
  if (filters.length > 0) return scanPage({ all, matching, idColumn, now: ctx.now }, page);
  return { ...(await listPage(found, page, idColumn)), isComplete: true };
}
