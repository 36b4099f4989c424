import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../test/api.ts';
import { engine } from '../../../test/engine.ts';
import { insertPageProfileAtVersion } from '../page-profile/insert.ts';
import type { PageProfile } from '../page-profile/page-profile.ts';
import { updatePageProfileAtVersion } from '../page-profile/update.ts';

const uids = Array.from({ length: 12 }, (_, n) => `user-${n}`);
const browser = { browser_x: 1440, browser_tz: 2, browser_l: 'en', browser_n: 'chrome', browser_k: 'desktop' } as const;
let api: Api;
let node: Api;

beforeAll(async () => {
  if (engine !== 'postgres') return;
  api = await startApi({ inTest: false });
  node = await startApi({ inTest: false, beside: api });
  for (const { account_id } of [api.account, api.other])
    await Promise.all(uids.map((uid) => insert(api, uid, account_id)));
});
afterAll(async () => {
  await node?.stop();
  await api?.stop();
});

const versionOf = async (account_id: string) => {
  const db = api.app.storage.reader(account_id);
  const query = db.selectFrom('published_versions').select('version').where('account_id', '=', account_id);
  return (await query.executeTakeFirst())?.version ?? 0;
};

/** The session is always over, so each page load that is stored counts as one. */
const load = async (on: Api, uid: string, account_id = api.account.account_id, version?: number) => {
  const item = { uid, now: 1, last_session: Number.MAX_SAFE_INTEGER, ...browser };
  const at = version ?? (await versionOf(account_id));
  const write = on.app.storage.writeCoalesced(
    account_id,
    updatePageProfileAtVersion,
    { ...item, version: at },
    on.app.now,
  );
  return countOf(await write);
};

const insert = async (on: Api, uid: string, account_id = api.account.account_id) => {
  const texts = { custom: '{"plan": "pro"}', custom_sources: null, page_keys: '[]' };
  const item = { id: '', updated_at: 0, last_seen_at: 0, uid, percent: 12.5, ...texts, ...browser };
  const version = await versionOf(account_id);
  return on.app.storage.writeCoalesced(account_id, insertPageProfileAtVersion, { ...item, version }, on.app.now);
};

const countOf = (pageProfile: PageProfile | undefined) => pageProfile?.row.last_seen_session_count;

const readCounts = async (account_id = api.account.account_id) => {
  const db = api.app.storage.reader(account_id);
  const query = db.selectFrom('profiles').select(['uid', 'last_seen_session_count as count']);
  const rows = await query.where('account_id', '=', account_id).execute();
  return new Map(rows.map(({ uid, count }) => [uid, count]));
};

/** Changes a profile in a transaction that stays open until the returned function is called, which resolves after the commit. */
async function change(uid: string): Promise<() => Promise<void>> {
  const { account_id } = api.account;
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  let ended: Promise<void> | undefined;
  await new Promise<void>((resolve) => {
    ended = api.app.storage.write(account_id, async (db) => {
      const update = db.updateTable('profiles').set({ percent: 1 }).where('account_id', '=', account_id);
      await update.where('uid', '=', uid).execute();
      resolve();
      await isReleased;
    });
  });
  return async () => {
    release();
    await ended;
  };
}

describe.runIf(engine === 'postgres')('coalesced writes on PostgreSQL', () => {
  it('counts every page load of the same users on two nodes once', async () => {
    const before = await readCounts();
    const rounds = Array.from({ length: 20 }, (_, round) => round);
    const results = await Promise.all(
      rounds.flatMap((round) => {
        // The nodes write the users in different orders.
        const order = round % 2 === 0 ? uids : [...uids].reverse();
        return order.flatMap((uid) => [api, node].map(async (on) => `${uid} ${await load(on, uid)}`));
      }),
    );
    const expected = uids.flatMap((uid) =>
      rounds.concat(rounds).map((_, n) => `${uid} ${Number(before.get(uid)) + n + 1}`),
    );
    expect(results.sort()).toEqual(expected.sort());
  });

  it('delays only the page loads of a profile that another transaction has locked', async () => {
    const [locked = '', ...others] = uids;
    const before = await readCounts();
    const release = await change(locked);
    const delayed = Array.from({ length: 10 }, () => load(api, locked));
    for (let round = 1; round <= 3; round++)
      expect(await Promise.all(others.map((uid) => load(api, uid)))).toEqual(
        others.map((uid) => Number(before.get(uid)) + round),
      );
    expect((await readCounts()).get(locked)).toBe(before.get(locked));
    await release();
    const counts = await Promise.all(delayed);
    expect(counts.map(Number).sort((a, b) => a - b)).toEqual(counts.map((_, n) => Number(before.get(locked)) + n + 1));
  });

  it('inserts new users although another transaction is changing one that exists', async () => {
    const release = await change('user-0');
    const [known, other] = await Promise.all([insert(api, 'user-0'), insert(api, 'beside user-0')]);
    expect([known, other?.row.uid]).toEqual([undefined, 'beside user-0']);
    await release();
  });

  it('rejects only the item that PostgreSQL does not accept', async () => {
    const before = await readCounts();
    const outcomes = await Promise.allSettled([...uids, 'zero\u0000'].map((uid) => load(api, uid)));
    expect(outcomes.map(({ status }) => status)).toEqual([...uids.map(() => 'fulfilled'), 'rejected']);
    const newUids = ['new-1', 'zero\u0000', 'new-2'];
    const inserts = await Promise.allSettled(newUids.map((uid) => insert(api, uid)));
    expect(inserts.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const after = await readCounts();
    for (const uid of uids) expect(after.get(uid)).toBe(Number(before.get(uid)) + 1);
  });

  it('writes nothing for page loads at another published version', async () => {
    const before = await readCounts();
    const version = await versionOf(api.account.account_id);
    const results = await Promise.all(
      uids.map((uid, n) => load(api, uid, api.account.account_id, n % 2 === 0 ? version : version + 1)),
    );
    expect(results).toEqual(uids.map((uid, n) => (n % 2 === 0 ? Number(before.get(uid)) + 1 : undefined)));
    const publish = api.post('/v3/edit/tours', { name: 'New', steps: [{ title: 'Hi' }], published_at: '$now' });
    const during = await Promise.all(
      Array.from({ length: 20 }, () => uids.map((uid) => load(api, uid, api.account.account_id, version))).flat(),
    );
    await publish;
    expect(await load(api, 'user-1', api.account.account_id, version)).toBeUndefined();
    const sum = (counts: Map<string, number>) => uids.reduce((total, uid) => total + Number(counts.get(uid)), 0);
    const found = during.filter((count) => count !== undefined).length;
    expect(sum(await readCounts())).toBe(sum(before) + uids.length / 2 + found);
  });

  it('keeps accounts apart', async () => {
    const ids = [api.account.account_id, api.other.account_id];
    const before = await Promise.all(ids.map((id) => readCounts(id)));
    await Promise.all(uids.flatMap((uid) => [load(api, uid), load(api, uid, ids[1]), load(api, uid, ids[1])]));
    const after = await Promise.all(ids.map((id) => readCounts(id)));
    for (const uid of uids)
      expect(after.map((counts, n) => Number(counts.get(uid)) - Number(before[n]?.get(uid)))).toEqual([1, 2]);
  });

  it('inserts each new user once, with an ID of its own and its own data', async () => {
    const newUids = Array.from({ length: 100 }, (_, n) => `user ${n}`);
    const inserted = await Promise.all(
      newUids.flatMap((uid) => [api, node, api].map(async (on) => ({ uid, found: await insert(on, uid) }))),
    );
    const found = inserted.filter((one) => one.found !== undefined);
    expect(found.map(({ uid }) => uid).sort()).toEqual([...newUids].sort());
    for (const { uid, found: pageProfile } of found)
      expect(pageProfile?.row).toMatchObject({
        uid,
        percent: 12.5,
        custom: { plan: 'pro' },
        last_seen_session_count: 1,
      });
    expect(new Set(found.map((one) => one.found?.row.id)).size).toBe(newUids.length);
  });
});
