import type { PageTrust } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { readUseCounts } from '../../results/counts/use-counts.ts';
import { subtractProfiles } from '../counts/count-all-profiles.ts';
import type { ProfileRow } from '../profiles/queries.ts';
import { createFinish } from './finish-merge.ts';
import { mergeProfileRow } from './merge-profile-row.ts';
import { moveUse } from './move-use.ts';

/**
 * A profile with more events than any person makes before signing in stays as it is. Moving them takes 20 µs for each, in which nobody else
 * writes on SQLite, and a page can send a million.
 */
const MAX_EVENTS = 20_000;

/** What is left to do of a merge at the end of its transaction, because it takes the clock of the account. */
export interface Merge {
  finish(): Promise<void>;
}

/**
 * Gives what a user did before signing in to the profile of their uid, in the transaction of the page load. A uid without a profile is
 * the new name of the anonymous profile. Else the two become one, if the page may do that: otherwise anyone could write into the history
 * of a user. Returns undefined if there is nothing to finish: a repeated request finds no anonymous profile any more.
 */
export async function mergeAnonymous(
  ctx: Context,
  anonymousUid: string,
  uid: string,
  trust: PageTrust,
): Promise<Merge | undefined> {
  const rows = await lockBoth(ctx, anonymousUid, uid);
  const anonymous = rows.find((row) => row.uid === anonymousUid);
  const known = rows.find((row) => row.uid === uid);
  if (!anonymous) return undefined;
  if (!known) {
    await rename(ctx, anonymous, uid);
    return undefined;
  }
  if (trust.proof === 'none' && !trust.trustPages) return undefined;
  if ((await countEvents(ctx, anonymous)) > MAX_EVENTS) return undefined;
  const ids = [anonymous.id, known.id];
  const before = await readUseCounts(ctx, ids);
  // Transactions lock this number before they take the clock.
  await subtractProfiles(ctx, [anonymous.id]);
  const moved = await moveUse(ctx, anonymous.id, known.id);
  await mergeProfileRow(ctx, anonymous, known, trust);
  const after = await readUseCounts(ctx, ids);
  return createFinish(ctx, { anonymousId: anonymous.id, id: known.id, moved, before, after });
}

/** As its profile counts them. */
async function countEvents(ctx: Context, { id }: ProfileRow): Promise<number> {
  const { count } = await ctx.db
    .selectFrom('profile_events')
    .select(({ fn }) => fn.sum<number | null>('count').as('count'))
    .where('account_id', '=', ctx.account.id)
    .where('profile_id', '=', id)
    .executeTakeFirstOrThrow();
  return Number(count ?? 0);
}

/** Both rows are locked in the order of their IDs, so that two transactions never deadlock. */
function lockBoth(ctx: Context, anonymousUid: string, uid: string): Promise<ProfileRow[]> {
  const query = ctx.db
    .selectFrom('profiles')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('uid', 'in', [anonymousUid, uid])
    .orderBy('id');
  return ctx.dialect.lockRows(query).execute();
}

/** If another transaction creates a profile with the uid meanwhile, the uid exists twice, and this transaction runs again. */
async function rename(ctx: Context, { id, uid: before }: ProfileRow, uid: string): Promise<void> {
  await ctx.db
    .updateTable('profiles')
    .set({ uid, updated_at: ctx.now() })
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', id)
    .execute();
  await ctx.db
    .updateTable('installation_entries')
    .set({ uid: null, profile_id: id })
    .where('account_id', '=', ctx.account.id)
    .where('uid', '=', before)
    .execute();
}
