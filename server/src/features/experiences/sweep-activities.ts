import { dayOf, weekOf } from '@usher/domain';
import { sql } from 'kysely';
import type { AppContext } from '../../context.ts';
import { forEachAccount } from '../../db/for-each-account.ts';
import type { Db, Storage } from '../../db/storage.ts';

/** How many rows are looked at together. */
const ROWS_PER_READ = 5000;
/** How many users have their rows deleted together: other writers wait for these only. */
const USERS_PER_WRITE = 20;

/**
 * Deletes after some days what users did. The counts stay as they are. The newest row of everything that a user did stays, too: it is the
 * previous day when the user does the same again. Rows of test users stay, because they count when the user is no longer a test user.
 * @param keepDays undefined keeps them for good
 */
export async function sweepActivities({ storage, now }: AppContext, keepDays: number | undefined): Promise<void> {
  if (keepDays === undefined) return;
  const beforeDay = dayOf(now()) - keepDays;
  // These counts are going to be made again from the rows.
  const due = storage.reader(null).selectFrom('accounts').select('id').where('recount_at', 'is not', null);
  const uncounted = new Set((await due.execute()).map(({ id }) => id));
  await forEachAccount(storage, async (accountId) => {
    if (uncounted.has(accountId)) return;
    await sweepAccount(storage, accountId, beforeDay);
    await sweepInterruptions(storage, accountId, weekOf(beforeDay));
  });
}

async function sweepAccount(storage: Storage, accountId: string, beforeDay: number): Promise<void> {
  const rows = storage.heavyReader(accountId).selectFrom('activities as a').where('a.account_id', '=', accountId);
  for (let after = ''; ; ) {
    const later = rows.select('a.profile_id').where('a.profile_id', '>', after);
    const last = await later.orderBy('a.profile_id').offset(ROWS_PER_READ).limit(1).executeTakeFirst();
    const inRange = last ? later.where('a.profile_id', '<=', last.profile_id) : later;
    const old = await inRange.distinct().where(isOld(accountId, beforeDay)).execute();
    const ids = old.map(({ profile_id }) => profile_id);
    for (let at = 0; at < ids.length; at += USERS_PER_WRITE)
      await deleteOld(storage, accountId, beforeDay, ids.slice(at, at + USERS_PER_WRITE));
    if (!last) return;
    after = last.profile_id;
  }
}

/** Deletes whole weeks: the counts need all interruptions of a user in a week, or none. */
async function sweepInterruptions(storage: Storage, accountId: string, beforeDay: number): Promise<void> {
  const rows = storage.heavyReader(accountId).selectFrom('interruption_days').where('account_id', '=', accountId);
  for (let after = ''; ; ) {
    const old = await rows
      .select('profile_id')
      .distinct()
      .where('profile_id', '>', after)
      .where('day', '<', beforeDay)
      .orderBy('profile_id')
      .limit(USERS_PER_WRITE)
      .execute();
    const ids = old.map(({ profile_id }) => profile_id);
    if (ids.length === 0) return;
    await storage.write(accountId, async (db) => {
      const users = await lockCounted(storage, db, accountId, ids);
      if (users.length === 0) return;
      await db
        .deleteFrom('interruption_days')
        .where('account_id', '=', accountId)
        .where('profile_id', 'in', users)
        .where('day', '<', beforeDay)
        .execute();
    });
    after = ids.at(-1) ?? '';
  }
}

/** Locks those of some users who are no test users, so that none of them becomes one meanwhile. */
async function lockCounted(storage: Storage, db: Db, accountId: string, ids: readonly string[]): Promise<string[]> {
  const profiles = db.selectFrom('profiles').select('id').where('account_id', '=', accountId).where('id', 'in', ids);
  const users = await storage.dialect.lockRows(profiles.where('is_test', '=', false).orderBy('id')).execute();
  return users.map(({ id }) => id);
}

/** Rows `a` that the user has a later one of. With `exists`, PostgreSQL compares each row with each other row: seconds for 5,000. */
function isOld(accountId: string, beforeDay: number) {
  return sql<boolean>`a.day < ${beforeDay} and a.day < (
    select max(later.day) from activities as later
    where later.account_id = ${accountId} and later.profile_id = a.profile_id and later.experience_id = a.experience_id
      and later.what = a.what and later.part_id = a.part_id)`;
}

async function deleteOld(storage: Storage, accountId: string, beforeDay: number, ids: readonly string[]) {
  await storage.write(accountId, async (db) => {
    const users = await lockCounted(storage, db, accountId, ids);
    if (users.length === 0) return;
    await db
      .deleteFrom('activities as a')
      .where('a.account_id', '=', accountId)
      .where('a.profile_id', 'in', users)
      .where(isOld(accountId, beforeDay))
      .execute();
  });
}
