import { dayOf } from '@usher/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../test/api.ts';
import { addSignedIn } from '../../../test/sign-in.ts';

const DAY_MS = 24 * 60 * 60_000;

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
beforeEach(() => api.replaceAccounts());
afterAll(() => api.stop());

const list = async (as = api.account) => (await api.get('/v3/analyze/attention', { as })).body.attention;
const target = { position_type: 'snap_to_element', elements: [{ selector: '#x' }] };
const addTour = async (params: object = { published_at: '$now' }) =>
  (await api.post('/v3/edit/tours', { name: 'Welcome', steps: [{ title: 'Hi', ...target }], ...params })).body.tour;
const addProfile = async (uid: string) => (await api.post('/v3/observe/hooks/profiles', { uid })).body.profile.id;

/** Inserts whether a user found the element of the tour, so many days ago. */
async function find(tour: { id: string; steps: { id: string }[] }, uid: string, finding: string, days = 0, path = '/') {
  const { account_id } = api.account;
  const at = Date.now() - days * DAY_MS;
  const profile_id = await addProfile(uid);
  const row = { account_id, profile_id, experience_id: tour.id, part_id: tour.steps[0]?.id ?? '', path, at };
  await api.app.storage.write(account_id, (db) =>
    db
      .insertInto('findings')
      .values({ ...row, day: dayOf(at), finding: finding as 'found' })
      .execute(),
  );
  return at;
}

describe('failing targets', () => {
  it('are listed with how many people did not see them, and since when', async () => {
    const tour = await addTour();
    const since = await find(tour, 'ann', 'not_found', 2);
    await find(tour, 'bob', 'hidden', 1, '/other');
    await find(tour, 'bob', 'not_found', 1);
    await find(tour, 'cat', 'found', 6);
    expect(await list()).toEqual([
      {
        type: 'target_failing',
        severity: 'error',
        since: new Date(since).toISOString(),
        count: 2,
        target: { type: 'tour', id: tour.id, name: 'Welcome' },
      },
    ]);
    expect(await list(api.other)).toEqual([]);
  });

  it('are not listed once most people find them again', async () => {
    const tour = await addTour();
    await find(tour, 'ann', 'not_found', 3);
    for (const uid of ['bob', 'cat', 'dan']) await find(tour, uid, 'found', 1);
    expect(await list()).toEqual([]);
  });

  it('are listed if half of the people do not find them, whoever came last', async () => {
    const tour = await addTour();
    await find(tour, 'ann', 'not_found', 3);
    await find(tour, 'bob', 'found', 1);
    expect(await list()).toHaveLength(1);
  });

  it.each([
    ['is a draft', { published_at: null }, 0],
    ['starts later', { published_at: '+2d' }, 0],
    ['is archived', { published_at: '$now', archived_at: '2029-01-01' }, 0],
    ['failed longer than 7 days ago', { published_at: '$now' }, 8],
  ])('are not listed if the Experience %s', async (_, params, days) => {
    const tour = await addTour(params);
    await find(tour, 'ann', 'not_found', days);
    expect(await list()).toEqual([]);
  });
});

describe('webhooks', () => {
  const addWebhook = async (columns: object) => {
    const { body } = await api.post('/v3/edit/webhooks', {
      url: 'https://hooks.example.com/usher',
      name: 'CRM',
      topics: ['tour.*'],
    });
    const { account_id } = api.account;
    await api.app.storage.write(account_id, (db) =>
      db.updateTable('webhooks').set(columns).where('account_id', '=', account_id).execute(),
    );
    return body.webhook.id;
  };

  it('are listed while they fail, and when they were turned off for it', async () => {
    const id = await addWebhook({ failing_since: 1000 });
    const entry = { severity: 'error', since: '1970-01-01T00:00:01.000Z', count: null };
    const target = { type: 'webhook', id, name: 'CRM' };
    expect(await list()).toEqual([{ type: 'webhook_failing', ...entry, target }]);
    await api.app.storage.write(api.account.account_id, (db) =>
      db.updateTable('webhooks').set({ enabled: false }).where('account_id', '=', api.account.account_id).execute(),
    );
    expect(await list()).toEqual([{ type: 'webhook_disabled', ...entry, target }]);
  });

  it('are not listed if they work, or if somebody has turned them off', async () => {
    await addWebhook({ failing_since: null, enabled: false });
    expect(await list()).toEqual([]);
  });
});

describe('secrets', () => {
  const addSecret = (name: string, expires_at: string) =>
    api.post('/v3/edit/secrets', { name, scope: 'read', expires_at });

  it('are listed for owners 14 days before they expire, and after', async () => {
    await addSecret('Later', '+15d');
    await addSecret('Soon', '+13d');
    const expired = (await addSecret('Old', '+1d')).body.secret.id;
    await api.app.storage.write(null, (db) =>
      db
        .updateTable('secrets')
        .set({ expires_at: Date.now() - 1000 })
        .where('id', '=', expired)
        .execute(),
    );
    expect((await list()).map(({ type, severity, target }: Entry) => [type, severity, target.name])).toEqual([
      ['secret_expired', 'error', 'Old'],
      ['secret_expiring', 'warning', 'Soon'],
    ]);
    await api.send('DELETE', `/v3/edit/secrets/${expired}`);
    expect(await list()).toHaveLength(1);
  });

  it('are not listed for others', async () => {
    await addSecret('Soon', '+13d');
    const { browser } = await addSignedIn(api, 'editor');
    expect((await browser.get('/v3/analyze/attention')).body.attention).toEqual([]);
    const { secret } = (await api.post('/v3/edit/secrets', { name: 'Reads', scope: 'read' })).body.secret;
    expect(await list({ ...api.account, account_secret: secret })).toEqual([]);
  });
});

it('lists quotas that were exceeded in the last 7 days, and how often', async () => {
  const { pageCounts } = api.app;
  const { account_id } = api.account;
  pageCounts.add(account_id, 'profiles_quota', 3);
  pageCounts.add(account_id, 'properties_limit');
  pageCounts.add(account_id, 'email_set', 5);
  await pageCounts.flush(account_id);
  const found = await list();
  expect(found.map(({ type, count, target }: Entry) => [type, count, target.name]).sort()).toEqual([
    ['quota_reached', 1, 'properties'],
    ['quota_reached', 3, 'profiles'],
  ]);
  expect(found[0].target).toMatchObject({ type: 'quota', id: null });
});

interface Entry {
  type: string;
  severity: string;
  count: number;
  target: { name: string };
}
