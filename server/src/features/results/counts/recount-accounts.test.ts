import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, newEmail, startApi } from '../../../../test/api.ts';
import { addActivity, addInteraction, addResponse, recountUse } from '../../../../test/use-rows.ts';
import type { Storage } from '../../../db/storage.ts';
import { createAccount } from '../../team/accounts/create-account.ts';
import { recountAccounts } from './recount-accounts.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

it('counts the other accounts too when one cannot be counted, which stays due', async () => {
  const { storage, now } = api.app;
  const created = [
    api.account.account_id,
    (await createAccount(api.app, { name: 'Second', email: newEmail() })).account_id,
    (await createAccount(api.app, { name: 'Third', email: newEmail() })).account_id,
  ];
  for (const id of created)
    await storage.write(id, (db) => db.updateTable('accounts').set({ recount_at: 0 }).where('id', '=', id).execute());
  const accounts = storage.reader(null).selectFrom('accounts').select(['id', 'recount_at']);
  // In the order in which they are counted, so that others come after it.
  const [broken, ...others] = (await accounts.where('recount_at', '<=', now()).execute()).map(({ id }) => id);
  expect(others.length).toBeGreaterThan(1);
  const failing: Storage = {
    ...storage,
    write: (accountId, work, options) =>
      accountId === broken ? Promise.reject(new Error('The disk fails')) : storage.write(accountId, work, options),
  };

  const info = vi.fn();
  await expect(recountAccounts(failing, now(), { info })).rejects.toThrow('The disk fails');
  expect(info).toHaveBeenCalledOnce();
  const due = (await accounts.execute()).filter(({ recount_at }) => recount_at === 0);
  expect(due).toEqual([{ id: broken, recount_at: 0 }]);
});

describe('the counts that are wrong an hour after the update', () => {
  const tables = ['activity_counts', 'answer_counts', 'score_counts', 'experience_counts'];
  const today = 20_000;
  let of: { account_id: string; profile_id: string; experience_id: string };
  let other: string;

  beforeAll(async () => {
    const { account_id } = api.account;
    const { profile } = (await api.post('/v3/observe/hooks/profiles', { uid: 'ann' })).body;
    of = { account_id, profile_id: profile.id, experience_id: 'tour' };
    other = (await api.post('/v3/observe/hooks/profiles', { uid: 'bob' })).body.profile.id;
    await addActivity(api.app, of, today - 2, 'started');
    await addActivity(api.app, { ...of, experience_id: 'another tour' }, today, 'displayed');
    await addInteraction(api.app, of, { started_at: 5 });
    await addResponse(api.app, { ...of, experience_id: 'survey' }, { step_id: 'nps', value: '7' });
    await addResponse(api.app, { ...of, profile_id: other, experience_id: 'survey' }, { step_id: 'nps', value: '9' });
  });

  const readCounts = async () => {
    const rows = await accountRows(api.app, of.account_id);
    return tables.map((table) => rows[table]);
  };
  const write = (statement: ReturnType<typeof sql>) =>
    api.app.storage.write(of.account_id, (db) => statement.execute(db));

  /** Runs what is due, and returns how many transactions took the clock of the account. */
  async function recountDue(): Promise<number> {
    const { storage, now } = api.app;
    await storage.write(of.account_id, (db) =>
      db.updateTable('accounts').set({ recount_at: 1 }).where('id', '=', of.account_id).execute(),
    );
    let long = 0;
    const counting: Storage = {
      ...storage,
      write: (accountId, work, options) => {
        if (options?.isLong) long += 1;
        return storage.write(accountId, work, options);
      },
    };
    await recountAccounts(counting, now(), { info: () => {} });
    const { recount_at } = await storage
      .reader(null)
      .selectFrom('accounts')
      .select('recount_at')
      .where('id', '=', of.account_id)
      .executeTakeFirstOrThrow();
    expect(recount_at).toBeNull();
    return long;
  }

  it('are none if no node of the version before has written, and nothing is counted or locked', async () => {
    const before = await readCounts();
    expect(before.every((rows) => rows && rows.length > 0)).toBe(true);
    expect(await recountDue()).toBe(0);
    expect(await readCounts()).toEqual(before);
  });

  it.each([
    ['a tour that was started', 'activities', () => sql`'tour', 'started', '', ${today - 1}`],
    ['a click', 'activities', () => sql`'tour', 'button', 'next', ${today}`],
  ])('are those of %s', async (_, __, values) => {
    const { account_id, profile_id } = of;
    await write(sql`insert into activities (account_id, profile_id, experience_id, what, part_id, day)
      values (${account_id}, ${profile_id}, ${values()})`);
    await expectOne();
  });

  it('are those of an answer without a day', async () => {
    const { account_id, profile_id } = of;
    const id = api.app.newId();
    await write(sql`insert into responses (account_id, id, updated_at, updated_tick, experience_id, profile_id, showing_from)
      values (${account_id}, ${id}, 1, 1, 'survey', ${profile_id}, 77)`);
    await write(sql`insert into answers (account_id, response_id, step_id, profile_id, experience_id, question_order, value)
      values (${account_id}, ${id}, 'nps', ${profile_id}, 'survey', 0, '3')`);
    await expectOne();
  });

  it('are those of an Interaction that went on, and of a user who became a test user', async () => {
    await write(sql`update interactions set completed_at = 9 where account_id = ${of.account_id}`);
    await expectOne();
    await write(sql`update profiles set is_test = true where account_id = ${of.account_id} and id = ${other}`);
    await expectOne();
  });

  /** Only the Experience that the version before has written is counted again, and then all counts are those of the rows. */
  async function expectOne() {
    const before = await readCounts();
    expect(await recountDue()).toBe(1);
    const after = await readCounts();
    expect(after).not.toEqual(before);
    await recountUse(api.app, of.account_id);
    expect(await readCounts()).toEqual(after);
  }
});
