import { type Integration, type SentProfile, toProfileItem } from '@usher/domain';
import type { Context } from '../../context.ts';
import { invalid, Refusal } from '../../errors.ts';
import { saveProfiles } from './save-profiles.ts';

export async function saveProfile(ctx: Context, given: SentProfile, integration: Integration): Promise<{ id: string }> {
  const problems: string[] = [];
  const item = toProfileItem(given, problems, ctx.now());
  if (problems.length > 0) throw invalid(...problems);
  const [saved] = await saveProfiles(ctx, [item], 'create', integration);
  if (saved instanceof Refusal) throw saved;
  return saved as { id: string };
}
