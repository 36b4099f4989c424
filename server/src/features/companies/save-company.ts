import { type Integration, type SentCompany, toCompanyItem } from '@usher/domain';
import type { Context } from '../../context.ts';
import { invalid, Refusal } from '../../errors.ts';
import { saveCompanies } from './save-companies.ts';

export async function saveCompany(ctx: Context, given: SentCompany, integration: Integration): Promise<{ id: string }> {
  const problems: string[] = [];
  const item = toCompanyItem(given, problems, ctx.now());
  if (problems.length > 0) throw invalid(...problems);
  const [saved] = await saveCompanies(ctx, [item], 'create', integration);
  if (saved instanceof Refusal) throw saved;
  return saved as { id: string };
}
