import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, newEmail, startApi } from '../../../../test/api.ts';
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
    await storage.write(id, (db) => db.updateTable('accounts').set({ recount_at: 1 }).where('id', '=', id).execute());
  const accounts = storage.reader(null).selectFrom('accounts').select(['id', 'recount_at']);
  // In the order in which they are counted, so that others come after it.
  const [broken, ...others] = (await accounts.where('recount_at', '<=', now()).execute()).map(({ id }) => id);
  expect(others.length).toBeGreaterThan(1);
  const failing: Storage = {
    ...storage,
    write: (accountId, work, options) =>
      accountId === broken ? Promise.reject(new Error('The disk fails')) : storage.write(accountId, work, options),
  };

  await expect(recountAccounts(failing, now())).rejects.toThrow('The disk fails');
  const due = (await accounts.execute()).filter(({ recount_at }) => recount_at !== null);
  expect(due).toEqual([{ id: broken, recount_at: 1 }]);
});
