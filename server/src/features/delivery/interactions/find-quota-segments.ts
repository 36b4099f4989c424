import type { Condition } from '@usher/domain';
import type { Context } from '../../../context.ts';
import type { PublishedAccount } from '../../../published/published-account.ts';
import type { PublishedExperience } from '../../../published/published-experience.ts';
import { selectProfiles } from '../../audience/filters/select-profiles.ts';

const nobody: Condition = { is: 'any', of: [] };

/** The Segments that the user is in now, if the survey ends after some Responses of each. The user is locked. */
export async function findQuotaSegments(
  ctx: Context,
  { id, account }: { id: string; account: PublishedAccount },
  experience: PublishedExperience | undefined,
): Promise<string[]> {
  if (!experience?.stopAfter?.perSegment) return [];
  const segment = (segmentId: string) => account.segments.get(segmentId) ?? nobody;
  const scope = { accountId: account.id, dialect: ctx.dialect, now: ctx.now(), segment };
  const found: string[] = [];
  for (const segmentId of experience.segmentIds) {
    const query = selectProfiles({ account, heavyDb: ctx.db }, { is: 'in segment', id: segmentId }, scope);
    const row = await query.where('profiles.id', '=', id).select('profiles.id').executeTakeFirst();
    if (row) found.push(segmentId);
  }
  return found;
}
