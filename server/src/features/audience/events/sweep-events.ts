import { EVENT_COUNT_DAYS, firstIdAt, type Millis, quarterOf } from '@usher/domain';
import { sql } from 'kysely';
import type { AppContext } from '../../../context.ts';
import { forEachAccount } from '../../../db/for-each-account.ts';
import type { Storage } from '../../../db/storage.ts';

const DAY_MS = 24 * 60 * 60_000;
/** How many rows are looked at together. */
const ROWS_PER_READ = 5000;
/** Of how many users events are deleted together. */
const USERS_PER_WRITE = 20;

/**
 * Single events are deleted after some days. The counts and times per user are kept. Events are stored in the order of their
 * users, so old ones are looked for at the users who did something before. The times per user and name say who that is, so events
 * of all others are not read.
 */
export async function sweepEvents({ storage, now }: AppContext, keepDays: number): Promise<void> {
  const end = now() - keepDays * DAY_MS;
  const countsEnd = Math.max(end, now() - EVENT_COUNT_DAYS * DAY_MS);
  await forEachAccount(storage, async (accountId) => {
    // The counts go first: forgetting a user subtracts the events that are left.
    await sweepCounts(storage, accountId, countsEnd);
    await sweepAccount(storage, accountId, end);
  });
}

/** Deletes the counts of quarters of an hour that have begun before. */
async function sweepCounts(storage: Storage, accountId: string, end: Millis): Promise<void> {
  await storage.write(accountId, (db) =>
    db
      .deleteFrom('event_counts')
      .where('account_id', '=', accountId)
      .where('quarter', '<', quarterOf(end) + 1)
      .execute(),
  );
}

async function sweepAccount(storage: Storage, accountId: string, end: Millis): Promise<void> {
  const reader = storage.heavyReader(accountId);
  const endId = firstIdAt(end);
  const counts = reader.selectFrom('profile_events').where('account_id', '=', accountId);
  for (let after = ''; ; ) {
    const later = counts.select('profile_id').where('profile_id', '>', after);
    const last = await later.orderBy('profile_id').offset(ROWS_PER_READ).limit(1).executeTakeFirst();
    const inRange = last ? later.where('profile_id', '<=', last.profile_id) : later;
    // These users did something before. Its event may have been deleted already, which their first event shows.
    const whoDid = inRange.distinct().where('first_at', '<', end).as('who_did');
    const withOldEvents = await reader
      .selectFrom(whoDid)
      .select('who_did.profile_id')
      .where(
        ({ selectFrom }) =>
          selectFrom('events')
            .select('events.id')
            .where('events.account_id', '=', accountId)
            .whereRef('events.profile_id', '=', 'who_did.profile_id')
            .orderBy('events.id')
            .limit(1),
        '<',
        endId,
      )
      .execute();
    const ids = withOldEvents.map(({ profile_id }) => profile_id);
    for (let at = 0; at < ids.length; at += USERS_PER_WRITE)
      while (await deleteSome(storage, accountId, ids.slice(at, at + USERS_PER_WRITE), endId));
    if (!last) return;
    after = last.profile_id;
  }
}

/** Deletes so many that other writers wait for a short time only. Returns whether there are more. */
function deleteSome(storage: Storage, accountId: string, profileIds: readonly string[], end: string): Promise<boolean> {
  return storage.write(accountId, async (db) => {
    const next = await db
      .selectFrom('events')
      .select(['profile_id', 'id'])
      .where('account_id', '=', accountId)
      .where('profile_id', 'in', profileIds)
      .where('id', '<', end)
      .orderBy('profile_id')
      .orderBy('id')
      .offset(storage.dialect.rowsPerWrite)
      .limit(1)
      .executeTakeFirst();
    const old = db
      .deleteFrom('events')
      .where('account_id', '=', accountId)
      .where('profile_id', 'in', profileIds)
      .where('id', '<', end);
    const first = next ? old.where(sql<boolean>`(profile_id, id) < (${next.profile_id}, ${next.id})`) : old;
    await first.execute();
    return next !== undefined;
  });
}
