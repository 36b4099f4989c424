import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Api, startApi } from '../../test/api.ts';
import { engine } from '../../test/engine.ts';
import { speedUpClock } from '../../test/fast-clock.ts';
import type { CoalescedWrite } from './coalesced-write.ts';
import { PreparedStatement } from './prepared-statement.ts';
import { openConnection } from './sqlite/sqlite-connection.ts';

interface Seats {
  uid: string;
  seats: number;
}

/** Adds to the sessions of a user, so that a write that runs twice shows in the result. */
const addSeats: CoalescedWrite<Seats, { uid: string; count: number }, number> = {
  single: new PreparedStatement(`
    update profiles set last_seen_session_count = last_seen_session_count + :seats::int
    where account_id = :account and uid = :uid
    returning uid, last_seen_session_count as count`),
  names: ['uid', 'seats'],
  batched: new PreparedStatement(
    ({ json }) => `
      update profiles set last_seen_session_count = profiles.last_seen_session_count + given.seats
      from ${json.table(':items', { uid: 'text', seats: 'integer' })} as given
      where profiles.account_id = :account and profiles.uid = given.uid
      returning profiles.uid, last_seen_session_count as count`,
  ),
  keyOf: ({ uid }) => uid,
  read: ({ uid, count }) => ({ key: uid, found: count }),
};

const uids = Array.from({ length: 30 }, (_, n) => `user-${n}`);
let api: Api;

beforeAll(async () => {
  api = await startApi({ inTest: false });
  for (const as of [api.account, api.other])
    for (const uid of uids) await api.post('/v3/observe/hooks/profiles', { uid }, { as });
});
afterAll(() => api.stop());

const add = (uid: string, seats: number, { account_id } = api.account) =>
  api.app.storage.writeCoalesced(account_id, addSeats, { uid, seats }, api.app.now);

describe('writeCoalesced', () => {
  it('returns the result of each item to its own request', async () => {
    const before = await Promise.all(uids.map((uid) => add(uid, 0)));
    const after = await Promise.all(uids.map((uid, n) => add(uid, n)));
    expect(after).toEqual(before.map((count, n) => Number(count) + n));
  });

  it('returns undefined for an item that has no row', async () => {
    const found = await Promise.all([add('user-1', 0), add('nobody', 1), add('user-2', 0)]);
    expect(found.map((count) => typeof count)).toEqual(['number', 'undefined', 'number']);
  });

  it('writes items with the same key one after the other', async () => {
    const before = Number(await add('user-3', 0));
    const counts = await Promise.all(Array.from({ length: 8 }, () => add('user-3', 1)));
    expect(counts.map(Number).sort((one, other) => one - other)).toEqual(
      Array.from({ length: 8 }, (_, n) => before + n + 1),
    );
  });

  it('changes only rows of its account', async () => {
    const [mine, theirs] = [Number(await add('user-4', 0)), Number(await add('user-4', 0, api.other))];
    await Promise.all([add('user-4', 5), add('user-4', 7, api.other)]);
    expect(await add('user-4', 0)).toBe(mine + 5);
    expect(await add('user-4', 0, api.other)).toBe(theirs + 7);
  });

  it('resolves after the commit, also among other writes', async () => {
    const elsewhere = (uid: string) =>
      api.app.storage
        .reader(api.account.account_id)
        .selectFrom('profiles')
        .select('last_seen_session_count')
        .where('account_id', '=', api.account.account_id)
        .where('uid', '=', uid)
        .executeTakeFirstOrThrow();
    const seen = await Promise.all(
      uids.map(async (uid, n) => {
        if (n % 3 === 0) await api.post('/v3/observe/hooks/profiles', { uid, plan: `plan ${n}` });
        const count = await add(uid, 1);
        return { count, read: (await elsewhere(uid)).last_seen_session_count };
      }),
    );
    for (const { count, read } of seen) expect(read).toBe(count);
  });

  it.runIf(engine === 'sqlite')('rejects all items of a failed statement, and no others', async () => {
    const broken = { ...addSeats, batched: new PreparedStatement<never, 'items'>('select no_such_function(1)') };
    const outcomes = await Promise.allSettled([
      ...['user-5', 'user-6'].map((uid) =>
        api.app.storage.writeCoalesced(api.account.account_id, broken, { uid, seats: 1 }, api.app.now),
      ),
      add('user-7', 1),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    expect(typeof (await add('user-5', 0))).toBe('number');
  });

  it.runIf(engine === 'sqlite')('rejects only the items that waited when a transaction could not begin', async () => {
    const other = openConnection(join(api.database.env.USHER_DATA, 'usher.db'), '');
    onTestFinished(() => void other.close());
    other.exec('begin immediate');
    speedUpClock();
    const outcomes = await Promise.allSettled([add('user-8', 1), add('user-9', 1)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    other.exec('rollback');
    // The same items would not join the group that failed.
    expect(await Promise.all([add('user-10', 0), add('user-8', 0)])).toEqual([expect.any(Number), expect.any(Number)]);
  });
});
