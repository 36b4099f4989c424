import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { engine } from '../../../../test/engine.ts';
import { explain, runUnchecked } from '../../../../test/explain.ts';
import { addSignedIn } from '../../../../test/sign-in.ts';
import { addResponse } from '../../../../test/use-rows.ts';
import { HOST, openDomain, visit } from '../../../../test/visiting.ts';
import { TestUserMarker } from './test-user-marker.ts';
import { withoutTestUsers } from './without-test-users.ts';

let api: Api;
let clock = Date.UTC(2029, 3, 7, 12);
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => clock });
});
beforeEach(async () => {
  await api.replaceAccounts();
  clock += 24 * 60 * 60_000;
});
afterAll(() => api.stop());

const save = async (params: object) => (await api.post('/v3/observe/hooks/profiles', params)).body.profile.id;
const setPatterns = (test_emails: unknown) => api.patch('/v3/edit/account', { test_emails });
const mark = (id: string, test: unknown) => api.patch(`/v3/edit/profiles/${id}`, { test });
const show = async () => (await api.get('/v3/analyze/test_users')).body.test_users;
const rowOf = async (uid: string) =>
  api.app.storage
    .reader(api.account.account_id)
    .selectFrom('profiles')
    .select(['id', 'test', 'is_test', 'updated_at'])
    .where('account_id', '=', api.account.account_id)
    .where('uid', '=', uid)
    .executeTakeFirstOrThrow();
const isTest = async (uid: string) => (await rowOf(uid)).is_test;
/** The uids of all test users, once all are marked. */
async function settled(): Promise<string[]> {
  await vi.waitFor(async () => expect((await show()).marking).toBe(false), { timeout: 10_000, interval: 5 });
  return (await show()).sample.map(({ uid }: { uid: string }) => uid).sort();
}
async function accountRow() {
  const query = api.app.storage.reader(null).selectFrom('accounts');
  return query.selectAll().where('id', '=', api.account.account_id).executeTakeFirstOrThrow();
}

describe('the patterns of an account', () => {
  it('are empty at first, are trimmed, and are shown', async () => {
    expect((await api.get('/v3/edit/account')).body.account.test_emails).toEqual([]);
    const { body } = await setPatterns([' *@acme.test', '*@ACME.test', 'Bob@example.com']);
    expect(body.account.test_emails).toEqual(['*@acme.test', 'Bob@example.com']);
    expect((await api.get('/v3/edit/account')).body.account).toEqual(body.account);
  });

  it.each([
    ['is no list', { a: 1 }, /`test_emails` must be/],
    ['has a number', [7], /`test_emails\[0\]`/],
    ['has 21', Array.from({ length: 21 }, (_, n) => `user${n}@acme.test`), /`test_emails`.*20/],
    ['has a long one', [`${'a'.repeat(200)}@acme.test`], /`test_emails\[0\]`/],
    ['matches all', ['*@*'], /needs a letter or a digit/],
    ['has two in one', ['a@acme.test b@acme.test'], /has a space in it/],
  ])('are rejected if the value %s', async (_, value, message) => {
    const { status, body } = await setPatterns(value);
    expect([status, body.messages]).toEqual([422, [expect.stringMatching(message)]]);
    expect((await accountRow()).test_emails).toEqual([]);
  });

  it('are for owners, and the audit log has how many there are but no email', async () => {
    const { browser } = await addSignedIn(api, 'editor');
    expect((await browser.send('PATCH', '/v3/edit/account', { body: { test_emails: ['*@a'] } })).status).toBe(403);
    await setPatterns(['bob@example.com']);
    const { body } = await api.get('/v3/analyze/audit_entries', { query: 'action=account.update' });
    expect(body.audit_entries).toMatchObject([{ details: { test_emails: [0, 1] } }]);
    expect(JSON.stringify(body)).not.toContain('bob@example.com');
  });

  it('change nothing when they are the same', async () => {
    const { body } = await setPatterns(['*@acme.test']);
    expect((await setPatterns(['*@acme.test'])).body.account.updated_at).toBe(body.account.updated_at);
  });
});

describe('a profile is marked', () => {
  beforeEach(async () => {
    await setPatterns(['*@acme.test']);
    await settled();
  });

  it('when the backend sends it, alone or in a batch, and when its email changes', async () => {
    await save({ uid: 'ann', email: 'Ann@Acme.test' });
    await save({ uid: 'bob', email: 'bob@example.com' });
    await api.post('/v3/observe/hooks/profiles/batch', {
      profiles: [{ uid: 'cat', email: 'cat@acme.test' }, { uid: 'dan' }],
    });
    expect(await settled()).toEqual(['ann', 'cat']);
    await save({ uid: 'ann', plan: 'pro' });
    expect(await isTest('ann')).toBe(true);
    await save({ uid: 'ann', email: null });
    await save({ uid: 'bob', email: 'bob@acme.test' });
    // The email moves from one to the other.
    await save({ uid: 'dan', email: 'cat@acme.test' });
    expect(await settled()).toEqual(['bob', 'dan']);
  });

  it('when a page sends its email', async () => {
    await openDomain(api);
    await visit(api, { uid: 'eve', email: 'eve@acme.test' });
    await visit(api, { uid: 'fay', email: 'fay@example.com' });
    expect(await settled()).toEqual(['eve']);
  });
});

describe('profiles that are there when the patterns change', () => {
  it('are marked and unmarked', async () => {
    await save({ uid: 'ann', email: 'ann@acme.test' });
    await save({ uid: 'bob', email: 'bob@example.com' });
    const { updated_at } = await rowOf('ann');
    clock += 1000;
    await setPatterns(['*@acme.test']);
    expect(await settled()).toEqual(['ann']);
    await setPatterns(['*@example.com']);
    expect(await settled()).toEqual(['bob']);
    await setPatterns([]);
    expect(await settled()).toEqual([]);
    // Nothing that others see of the profile has changed.
    expect((await rowOf('ann')).updated_at).toBe(updated_at);
  });

  it('are marked in many chunks, and another node finishes what one has not', async () => {
    const { account_id } = api.account;
    const profiles = Array.from({ length: 2300 }, (_, n) => ({
      uid: `u${n}`,
      email: `u${n}@${n % 3 ? 'a' : 'b'}.test`,
    }));
    for (let start = 0; start < profiles.length; start += 500)
      await api.post('/v3/observe/hooks/profiles/batch', { profiles: profiles.slice(start, start + 500) });
    // A process that stops immediately leaves the work to the next.
    await api.app.storage.write(null, (db) =>
      db
        .updateTable('accounts')
        .set({ test_emails: '["*@b.test"]', test_emails_changed_at: clock })
        .where('id', '=', account_id)
        .execute(),
    );
    const stopped = new TestUserMarker(api.app.storage, () => clock);
    await stopped.stop();
    await stopped.resume();
    expect(await show()).toMatchObject({ count: 0, marking: true });
    await new TestUserMarker(api.app.storage, () => clock).resume();
    expect(await show()).toMatchObject({ count: 767, marking: false });
  });

  it('are checked again, because a transaction may have had the old patterns', async () => {
    await setPatterns(['*@acme.test']);
    await settled();
    // As a transaction writes it that began before the change and ends after the run.
    await save({ uid: 'late', email: 'late@acme.test' });
    await setMark('late', false);
    await api.app.testUserMarker.resume();
    expect(await isTest('late')).toBe(false);
    clock += 61_000;
    await api.app.testUserMarker.resume();
    expect(await isTest('late')).toBe(true);
    expect((await accountRow()).test_emails_changed_at).toBeNull();
  });
});

async function setMark(uid: string, is_test: boolean) {
  await api.app.storage.write(api.account.account_id, (db) =>
    db
      .updateTable('profiles')
      .set({ is_test })
      .where('account_id', '=', api.account.account_id)
      .where('uid', '=', uid)
      .execute(),
  );
}

describe('the mark of one profile', () => {
  it('wins over the patterns until it is removed', async () => {
    await setPatterns(['*@acme.test']);
    const id = await save({ uid: 'ann', email: 'ann@acme.test' });
    expect((await mark(id, false)).body).toEqual({ profile: { id, test: false, is_test: false } });
    await save({ uid: 'ann', email: 'ann2@acme.test' });
    await setPatterns(['*@acme.test', '*@example.com']);
    expect(await settled()).toEqual([]);
    expect((await mark(id, null)).body).toEqual({ profile: { id, test: null, is_test: true } });
    const bob = await save({ uid: 'bob' });
    const byUid = await api.patch('/v3/edit/profiles', { uid: 'bob', test: true });
    expect(byUid.body).toEqual({ profile: { id: bob, test: true, is_test: true } });
    expect(await show()).toEqual({
      count: 2,
      marking: false,
      sample: [
        { id: bob, uid: 'bob', email: null, name: null, test: true },
        { id, uid: 'ann', email: 'ann2@acme.test', name: null, test: true },
      ],
    });
  });

  it('is in the audit log, without who it is', async () => {
    const id = await save({ uid: 'ann' });
    await mark(id, true);
    await mark(id, true);
    const { body } = await api.get('/v3/analyze/audit_entries', { query: 'action=profile.update' });
    expect(body.audit_entries).toMatchObject([{ action: 'profile.update', details: { test: [null, true] } }]);
    expect(JSON.stringify(body)).not.toContain(id);
  });

  it.each([['yes'], [7], [undefined]])('is rejected if it is %j', async (value) => {
    const id = await save({ uid: 'ann' });
    const { status, body } = await mark(id, value);
    expect([status, body.messages]).toEqual([422, [expect.stringContaining('`test`')]]);
  });

  it('returns 404 for a profile of another account', async () => {
    const id = await save({ uid: 'ann' });
    expect((await api.patch(`/v3/edit/profiles/${id}`, { test: true }, { as: api.other })).status).toBe(404);
    expect((await mark('f'.repeat(24), true)).status).toBe(404);
    expect(await isTest('ann')).toBe(false);
  });

  it('cannot be set by a page or by a property', async () => {
    await openDomain(api);
    await visit(api, { uid: 'eve', test: true, is_test: true, properties: { test: true, is_test: true } });
    await save({ uid: 'bob', test: true, is_test: true });
    expect([await isTest('eve'), await isTest('bob')]).toEqual([false, false]);
    expect((await rowOf('bob')).test).toBeNull();
    const { body } = await api.get('/v3/analyze/profile', { query: 'uid=bob' });
    expect(body.profile).toMatchObject({ test: true, is_test: true });
    const id = await save({ uid: 'eve' });
    const { status } = await api.patch(
      `/v3/edit/profiles/${id}`,
      { test: true, account_token: api.account.account_token },
      { as: null, headers: { Origin: `https://${HOST}` } },
    );
    expect(status).toBe(403);
  });
});

it('forgets the email of a forgotten user in the patterns too', async () => {
  await setPatterns(['Ann@acme.test', '*@b.test']);
  await save({ uid: 'ann', email: 'ann@acme.test' });
  await api.send('DELETE', '/v3/edit/profiles/forget', { query: 'uid=ann' });
  expect((await accountRow()).test_emails).toEqual(['*@b.test']);
  expect(await show()).toMatchObject({ count: 0, sample: [] });
});

it('marks who wrote a text', async () => {
  const { body } = await api.post('/v3/edit/surveys', {
    name: 'S',
    steps: [{ title: 'Why?', preset: 'survey_input' }],
  });
  const id = await save({ uid: 'ann' });
  await mark(id, true);
  const of = { account_id: api.account.account_id, experience_id: body.survey.id, profile_id: id };
  const step_id = body.survey.steps[0].id;
  await addResponse(api.app, of, { step_id, input: 'Because' });
  const texts = await api.get(`/v3/analyze/surveys/${body.survey.id}/steps/${step_id}/texts`);
  expect(texts.body.texts).toMatchObject([{ text: 'Because', profile: { uid: 'ann', test: true } }]);
});

it('counts what a search lists, or only those whom other numbers count', async () => {
  await save({ uid: 'ann' });
  await mark(await save({ uid: 'bob' }), true);
  const count = async (query = '') => (await api.get('/v3/analyze/profiles/count', { query })).body.count;
  expect([await count(), await count('without_test_users=true')]).toEqual([2, 1]);
});

describe('leaving test users out', () => {
  const run = (text: string) => runUnchecked(api, text);

  it.each(['activities', 'interactions', 'answers', 'findings', 'profiles'] as const)(
    'of %s reads an index that has only them, once',
    async (table) => {
      const { account_id } = api.account;
      // PostgreSQL would read a small table as a whole.
      if (engine === 'postgres') {
        await run(`insert into profiles (account_id, id, updated_at, uid, percent, custom, is_test)
          select '${account_id}', lpad(n::text, 24, '0'), 1, 'p' || n, 1, '{}', n % 1000 = 0
          from generate_series(1, 20000) as n`);
        await run('analyze profiles');
      }
      const query = api.app.storage
        .reader(account_id)
        .selectFrom(table as 'activities')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('account_id', '=', account_id)
        .where(withoutTestUsers(account_id, table === 'profiles' ? 'profiles.id' : 'profile_id'));
      const plan = await explain(api, query);
      expect(plan).toMatch(/index (scan on )?profiles_test|scan using profiles_test/i);
      // A subquery that ran again for each row would be correlated.
      expect(plan).not.toMatch(/correlated/i);
    },
  );
});
