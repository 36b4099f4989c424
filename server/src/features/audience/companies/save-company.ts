import { type CompanyInput, type Integration, toCompanyItem } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { ApiError, invalid } from '../../../errors.ts';
import { saveCompanies } from './save-companies.ts';

export async function saveCompany(
  ctx: Context,
  params: CompanyInput,
  integration: Integration,
): Promise<{ id: string }> {
  const problems: string[] = [];
  const item = toCompanyItem(params, problems, ctx.now());
  if (problems.length > 0) throw invalid(...problems);
  const [saved] = await saveCompanies(ctx, [item], 'create', integration);
  if (saved instanceof ApiError) throw saved;
  return saved as { id: string };
}
