import { type Condition, isEnabled, type Millis } from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Within } from '../../../db/pagination/chunk-size.ts';
import { countAllProfiles } from '../counts/count-all-profiles.ts';
import { countInChunks, type PartialCount } from '../counts/count-in-chunks.ts';
import { selectProfiles } from '../filters/select-profiles.ts';
import { countDisabled } from './disabled-profiles.ts';
import { withoutTestUsers } from './without-test-users.ts';

interface Matching {
  condition: Condition;
  segment(id: string): Condition;
  isWithoutTestUsers: boolean;
}

/** Counts the profiles that meet a condition, for at most this time. */
export async function countMatching(ctx: Context, matching: Matching, maxMs: Millis): Promise<PartialCount> {
  const { condition, segment, isWithoutTestUsers } = matching;
  if (isEverybody(condition, segment)) {
    const disabled = hasIsEnabled(condition) ? await countDisabled(ctx, { isWithoutTestUsers }) : 0;
    const count = (await countAllProfiles(ctx)) - (isWithoutTestUsers ? await countTestUsers(ctx) : 0) - disabled;
    return { count, is_complete: true, estimate: count };
  }
  const scope = { accountId: ctx.account.id, dialect: ctx.dialect, now: ctx.now(), segment };
  const select = (within: Within) => {
    const found = selectProfiles(ctx, condition, { ...scope, within });
    return isWithoutTestUsers ? found.where(withoutTestUsers(ctx.account.id, 'profiles.id')) : found;
  };
  return countInChunks(ctx, select, maxMs);
}

/** Whether nobody is left out, or only those who are switched off. */
function isEverybody(condition: Condition, segment: Matching['segment']): boolean {
  if (condition === isEnabled) return true;
  if (condition.is === 'in segment') return isEverybody(segment(condition.id), segment);
  return condition.is === 'all' && condition.of.every((part) => isEverybody(part, segment));
}

function hasIsEnabled(condition: Condition): boolean {
  return condition === isEnabled || (condition.is === 'all' && condition.of.some(hasIsEnabled));
}

/** An index has only the test users. */
export async function countTestUsers(ctx: Context): Promise<number> {
  const { count } = await ctx.heavyDb
    .selectFrom('profiles')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', ctx.account.id)
    .where(sql<boolean>`is_test`)
    .executeTakeFirstOrThrow();
  return Number(count);
}
