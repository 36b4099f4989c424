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

/** Inside the transaction that deletes profiles, before it does. */
export async function subtractProfiles(ctx: Context, ids: readonly string[]): Promise<void> {
  await ctx.db
    .insertInto('profile_counts')
    .values({ account_id: ctx.account.id, counted_to: '', count: 0, started_at: ctx.now(), deletions: 1 })
    .onConflict((existing) =>
      existing.column('account_id').doUpdateSet((eb) => ({
        deletions: sql<number>`profile_counts.deletions + 1`,
        count: sql<number>`profile_counts.count - ${eb
          .selectFrom('profiles')
          .select((inner) => inner.fn.countAll<number>().as('count'))
          .where('profiles.account_id', '=', ctx.account.id)
          .where('profiles.id', 'in', ids)
          .whereRef('profiles.id', '<=', 'profile_counts.counted_to')}`,
      })),
    )
    .execute();
}

/** Inside a transaction that creates profiles with IDs of the past, before it takes the clock: all are counted again. */
export async function forgetProfileCount(ctx: Context): Promise<void> {
  await ctx.db
    .insertInto('profile_counts')
    .values({ account_id: ctx.account.id, counted_to: '', count: 0, started_at: ctx.now(), deletions: 1 })
    .onConflict((existing) =>
      existing
        .column('account_id')
        .doUpdateSet({ deletions: sql<number>`profile_counts.deletions + 1`, counted_to: '', count: 0 }),
    )
    .execute();
}
