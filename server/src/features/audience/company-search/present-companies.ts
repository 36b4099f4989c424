import { type CompanyDetails, type CompanySummary, createdAtOf, nameOf, toTimestamp } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { type CompanyRow, getCompany } from '../companies/queries.ts';
import { presentProperties } from '../profile-details/present-properties.ts';
import { withoutTestUsers } from '../profiles/without-test-users.ts';

export async function showCompany(ctx: Context, id: string): Promise<CompanyDetails> {
  const row = await getCompany(ctx, { id });
  const [summary] = await presentCompanies(ctx, [row]);
  return {
    ...(summary as NonNullable<typeof summary>),
    properties: await presentProperties(ctx, 'company', row.custom),
  };
}

export async function presentCompanies(ctx: Context, rows: readonly CompanyRow[]): Promise<CompanySummary[]> {
  const counts = await countProfilesOf(
    ctx,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    id: row.id,
    uid: row.uid,
    name: nameOf(row.custom),
    created_at: toTimestamp(createdAtOf(row)),
    updated_at: toTimestamp(row.updated_at),
    profiles_count: counts.get(row.id) ?? 0,
  }));
}

/** How many profiles each Company has. The query reads only an index. */
async function countProfilesOf(ctx: Context, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.heavyDb
    .selectFrom('profiles')
    .select(({ fn }) => ['company_id', fn.countAll<number>().as('count')])
    .where('account_id', '=', ctx.account.id)
    .where('company_id', 'in', ids)
    .where(withoutTestUsers(ctx.account.id, 'id'))
    .groupBy('company_id')
    .execute();
  return new Map(rows.map(({ company_id, count }) => [company_id ?? '', Number(count)]));
}
