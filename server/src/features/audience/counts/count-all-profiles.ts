import { isRecent, type Millis } from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { findNthAfter } from './find-nth-after.ts';

/** Each query reads so much of the index: about 10 ms. */
const PER_QUERY = 100_000;
/** The newest profiles are counted each time, until there are so many. */
const MAX_NEWEST = 5000;
/** A node of an older version does not know the count, and forgets profiles without it: it is wrong for a day at most. */
const MAX_AGE_MS: Millis = 24 * 60 * 60_000;

/**
 * How many profiles the account has, with its test users. It stores how many there are up to an ID, and counts the newer ones:
 * new profiles have higher IDs than all before them, so nothing is written when one is created. Reading the index of 1,000,000
 * profiles takes too long for each time that somebody looks.
 */
export async function countAllProfiles(ctx: Context): Promise<number> {
  const stored = await ctx.heavyDb
    .selectFrom('profile_counts')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .executeTakeFirst();
  const isUsable = stored && isRecent(stored.started_at, ctx.now(), MAX_AGE_MS);
  const { started_at, ...known } = isUsable ? stored : { counted_to: '', count: 0, started_at: ctx.now() };
  let [count, after] = [Number(known.count), known.counted_to];
  for (;;) {
    const next = await findNthAfter(ctx, after, PER_QUERY);
    if (next === undefined) break;
    count += PER_QUERY;
    after = next;
    // If the client leaves, the next request goes on from here.
    await store(ctx, { counted_to: after, count, started_at, deletions: Number(stored?.deletions ?? 0) });
  }
  const newest = await ctx.heavyDb
    .selectFrom('profiles')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.max('id').as('last')])
    .where('account_id', '=', ctx.account.id)
    .where('id', '>', after)
    .executeTakeFirstOrThrow();
  count += Number(newest.count);
  if (count - Number(known.count) > MAX_NEWEST || !isUsable)
    await store(ctx, {
      counted_to: newest.last ?? after,
      count,
      started_at,
      deletions: Number(stored?.deletions ?? 0),
    });
  return count;
}

interface StoredCount {
  counted_to: string;
  count: number;
  started_at: Millis;
  deletions: number;
}

/** Stores nothing if a profile was deleted since `deletions` was read: it may be in the count. */
async function store(ctx: Context, { deletions, ...values }: StoredCount): Promise<void> {
  const write = ctx.app.storage.write(ctx.account.id, (db) =>
    db
      .insertInto('profile_counts')
      .values({ account_id: ctx.account.id, ...values, deletions })
      .onConflict((existing) =>
        existing.column('account_id').doUpdateSet(values).where(sql.ref('profile_counts.deletions'), '=', deletions),
      )
      .execute(),
  );
  // The count is right without it, and a database that can only be read stores nothing.
  await write.catch(() => {});
}

/** Inside the transaction that deletes these profiles, so that the count of others who read it stays right. */
export async function subtractProfiles(ctx: Context, ids: readonly string[]): Promise<void> {
  const countedTo = await lockCount(ctx);
  const counted = ids.filter((id) => id <= countedTo).length;
  if (counted === 0) return;
  await ctx.db
    .updateTable('profile_counts')
    .set((eb) => ({ count: eb('count', '-', counted) }))
    .where('account_id', '=', ctx.account.id)
    .execute();
}

/** Inside a transaction that creates profiles with IDs of the past, before it takes the clock: all are counted again. */
export async function forgetProfileCount(ctx: Context): Promise<void> {
  await lockCount(ctx);
  await ctx.db
    .updateTable('profile_counts')
    .set({ counted_to: '', count: 0 })
    .where('account_id', '=', ctx.account.id)
    .execute();
}

/** Locks the count until the transaction ends, and returns up to which ID it goes. A count that is being made is not stored. */
async function lockCount(ctx: Context): Promise<string> {
  await ctx.db
    .insertInto('profile_counts')
    .values({ account_id: ctx.account.id, counted_to: '', count: 0, started_at: 0, deletions: 0 })
    .onConflict((existing) => existing.doNothing())
    .execute();
  const { counted_to } = await ctx.db
    .updateTable('profile_counts')
    .set((eb) => ({ deletions: eb('deletions', '+', 1) }))
    .where('account_id', '=', ctx.account.id)
    .returning('counted_to')
    .executeTakeFirstOrThrow();
  return counted_to;
}
