import type { Expand, FindProfile, Profile } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { embedCompany } from '../companies/present-company.ts';
import { companiesById } from '../companies/queries.ts';
import { presentProfile } from './present-profile.ts';
import { getProfile } from './queries.ts';

export async function showProfile(
  ctx: Context,
  { expand, ...find }: FindProfile & { expand: Pick<Expand, 'company'> },
): Promise<Profile> {
  const row = await getProfile(ctx, find);
  const companies = await companiesById(ctx, expand.company === 'skip' ? [] : [row.company_id]);
  return presentProfile(row, embedCompany(companies.get(row.company_id ?? ''), expand.company));
}
