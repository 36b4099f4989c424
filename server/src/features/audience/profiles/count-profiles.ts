import type { Context } from '../../../context.ts';
import { invalid } from '../../../errors.ts';
import type { PartialCount } from '../counts/count-in-chunks.ts';
import { countMatching } from './count-matching.ts';
import { buildProfileCondition, type ProfileQuery } from './query-profiles.ts';

/** The limit for a client that wants the whole count. Other accounts are served meanwhile. */
const MAX_COUNT_MS = 30_000;

interface CountParams extends ProfileQuery {
  without_test_users?: boolean;
  within_ms?: number;
}

/**
 * Counts the profiles that a search with the same parameters lists. With `without_test_users`, it leaves out test users, as
 * all other numbers do. A client that does not give `within_ms` does not expect an incomplete count, so it gets an error
 * instead.
 */
export async function countProfiles(
  ctx: Context,
  { without_test_users, within_ms, ...params }: CountParams,
  maxMs = MAX_COUNT_MS,
): Promise<{ count: number } | PartialCount> {
  const matching = { ...(await buildProfileCondition(ctx, params)), isWithoutTestUsers: without_test_users ?? false };
  const counted = await countMatching(ctx, matching, within_ms ?? maxMs);
  if (within_ms !== undefined) return counted;
  if (counted.is_complete) return { count: counted.count };
  throw invalid(
    `Counting takes longer than ${maxMs / 1000} seconds with these filters: give fewer of them, or \`within_ms\`, which returns how many there are at least`,
  );
}
