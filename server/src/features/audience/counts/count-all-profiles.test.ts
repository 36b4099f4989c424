import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, newEmail, startApi } from '../../../../test/api.ts';
import { anonymous, createContext } from '../../../create-context.ts';
import { type CreatedAccount, createAccount } from '../../team/accounts/create-account.ts';
import { countAllProfiles } from './count-all-profiles.ts';

let api: Api;
let now = Date.now();
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => now });
});
afterAll(() => api.stop());

const newAccount = () => createAccount(api.app, { name: 'Counted', email: newEmail() });
const contextOf = ({ account_id }: CreatedAccount) =>
  createContext(api.app, { account: { id: account_id }, actor: anonymous });
const send = (as: CreatedAccount, from: number, to: number) =>
  api.post(
    '/v3/observe/hooks/profiles/batch',
    { profiles: Array.from({ length: to - from }, (_, index) => ({ uid: `u${from + index}` })) },
    { as },
  );
const count = (as: CreatedAccount) => countAllProfiles(contextOf(as));
const stored = ({ account_id }: CreatedAccount) =>
  api.app.storage
    .reader(account_id)
    .selectFrom('profile_counts')
    .selectAll()
    .where('account_id', '=', account_id)
    .executeTakeFirst();
const forget = (as: CreatedAccount, uid: string) =>
  api.send('DELETE', '/v3/edit/profiles/forget', { query: `uid=${uid}`, as });

it('counts new profiles beside the stored count', async () => {
  const as = await newAccount();
  expect(await count(as)).toBe(0);
  await send(as, 0, 6000);
  expect(await count(as)).toBe(6000);
  expect(await stored(as)).toMatchObject({ count: 6000 });
  await send(as, 5990, 6010);
  expect(await count(as)).toBe(6010);
  // Few new ones are not worth a write.
  expect(await stored(as)).toMatchObject({ count: 6000 });
});

it('is right after profiles were forgotten, counted ones and new ones', async () => {
  const as = await newAccount();
  await forget(as, 'unknown');
  await send(as, 0, 30);
  expect(await count(as)).toBe(30);
  await send(as, 30, 40);
  await forget(as, 'u3');
  await forget(as, 'u33');
  expect(await stored(as)).toMatchObject({ count: 29 });
  expect(await count(as)).toBe(38);
});

it('stores no count of a profile that is forgotten meanwhile', async () => {
  const as = await newAccount();
  await send(as, 0, 30);
  const ctx = contextOf(as);
  const { storage } = ctx.app;
  const write: typeof storage.write = async (accountId, work) => {
    await forget(as, 'u3');
    return storage.write(accountId, work);
  };
  const app = {
    ...ctx.app,
    storage: new Proxy(storage, { get: (of, name) => (name === 'write' ? write : Reflect.get(of, name, of)) }),
  };
  expect(await countAllProfiles({ ...ctx, app })).toBe(30);
  expect(await count(as)).toBe(29);
});

it('counts the sample data, whose profiles have IDs of the past', async () => {
  const as = await newAccount();
  await send(as, 0, 3);
  expect(await count(as)).toBe(3);
  expect((await api.post('/v3/edit/sample_data', {}, { as })).status).toBeLessThan(300);
  const all = (await api.post('/v3/analyze/profiles', { limit: 500 }, { as })).body.profiles.length;
  expect(all).toBeGreaterThan(3);
  expect(await count(as)).toBe(all);
  expect((await api.send('DELETE', '/v3/edit/sample_data', { as })).status).toBeLessThan(300);
  expect(await count(as)).toBe(3);
});

it('counts all profiles again after a day', async () => {
  const as = await newAccount();
  await send(as, 0, 3);
  expect(await count(as)).toBe(3);
  await api.app.storage.write(as.account_id, (db) =>
    db.updateTable('profile_counts').set({ count: 7 }).where('account_id', '=', as.account_id).execute(),
  );
  expect(await count(as)).toBe(7);
  now += 25 * 60 * 60_000;
  expect(await count(as)).toBe(3);
});
