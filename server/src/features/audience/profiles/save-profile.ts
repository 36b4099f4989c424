import { type Integration, type ProfileInput, toProfileItem } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { ApiError, invalid } from '../../../errors.ts';
import { saveProfiles } from './save-profiles.ts';

export async function saveProfile(
  ctx: Context,
  params: ProfileInput,
  integration: Integration,
): Promise<{ id: string }> {
  const problems: string[] = [];
  const item = toProfileItem(params, problems, ctx.now());
  if (problems.length > 0) throw invalid(...problems);
  const [saved] = await saveProfiles(ctx, [item], 'create', integration);
  if (saved instanceof ApiError) throw saved;
  return saved as { id: string };
}
