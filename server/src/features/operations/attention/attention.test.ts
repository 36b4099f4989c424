import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { addSignedIn } from '../../../../test/sign-in.ts';
import { pauseSending, unpauseSending } from '../../../webhooks/sending/paused.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
beforeEach(() => api.replaceAccounts());
afterAll(() => api.stop());

const list = async (as = api.account) => (await api.get('/v3/analyze/attention', { as })).body.attention;
const target = { position_type: 'snap_to_element', elements: [{ selector: '#x' }] };
interface Tour {
  id: string;
  steps: { id: string }[];
}
const addTour = async (params: object = { published_at: '$now' }): Promise<Tour> =>
  (await api.post('/v3/edit/tours', { name: 'Welcome', steps: [{ title: 'Hi', ...target }], ...params })).body.tour;

/** Makes a step of the tour fail, as a check of its findings would. */
async function fail(tour: Tour, { at = 0, ...counts }: { at?: number; users_count?: number } = {}) {
  const { account_id } = api.account;
  const since = Date.now() - 1000;
  const of = { account_id, experience_id: tour.id, part_id: tour.steps[at]?.id ?? '', path: '/', since };
  const columns = { users_count: 20, total_users_count: 40, browser: 'chrome', is_failing: true, ...counts } as const;
  await api.app.storage.write(account_id, (db) =>
    db
      .insertInto('failing_steps')
      .values({ ...of, ...columns, checked_at: Date.now() })
      .execute(),
  );
  return new Date(since).toISOString();
}

describe('failing targets', () => {
  it('are listed once for each Experience, with the step that the most people did not see', async () => {
    const tour = await addTour({
      published_at: '$now',
      steps: [
        { title: 'One', ...target },
        { title: 'Two', ...target },
      ],
    });
    await fail(tour);
    const since = await fail(tour, { at: 1, users_count: 30 });
    expect(await list()).toEqual([
      {
        type: 'target_failing',
        severity: 'error',
        since,
        count: 30,
        target: { type: 'tour', id: tour.id, name: 'Welcome' },
        step: expect.objectContaining({ step_id: tour.steps[1]?.id, index: 1, share: 0.75, path: '/' }),
      },
    ]);
    expect(await list(api.other)).toEqual([]);
  });

  it('have no place if the draft does not have the step any more', async () => {
    const tour = await addTour();
    await fail(tour);
    await api.patch(`/v3/edit/tours/${tour.id}`, { steps: [{ title: 'New' }] });
    expect(await list()).toMatchObject([{ step: { index: null } }]);
  });

  it.each([
    ['is a draft', { published_at: null }],
    ['starts later', { published_at: '+2d' }],
    ['is archived', { published_at: '$now', archived_at: '2029-01-01' }],
  ])('are not listed if the Experience %s', async (_, params) => {
    await fail(await addTour(params));
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
    const entry = { severity: 'error', since: '1970-01-01T00:00:01.000Z', count: null, step: null };
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

describe('the server', () => {
  it('is listed while it sends nothing, if there is a webhook that is on', async () => {
    const pause = { reason: 'paused by an operator', at: 1000 };
    await api.app.storage.write(null, (db) => pauseSending(db, pause));
    onTestFinished(() => api.app.storage.write(null, unpauseSending));
    expect(await list()).toEqual([]);
    await api.post('/v3/edit/webhooks', { url: 'https://hooks.example.com/usher', topics: ['tour.*'] });
    const target = { type: 'webhook', id: null, name: pause.reason };
    const since = '1970-01-01T00:00:01.000Z';
    expect(await list()).toEqual([
      { type: 'sending_paused', severity: 'warning', since, count: null, target, step: null },
    ]);
    expect(await list(api.other)).toEqual([]);
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

describe('Experiences that show nowhere', () => {
  const add = async (path: string, key: string, params: object): Promise<string> => {
    const { status, body } = await api.post(`/v3/edit/${path}`, params);
    expect([status, body.messages]).toEqual([201, undefined]);
    return body[key].id;
  };
  const listNowhere = async () =>
    (await list()).flatMap(({ type, target }: Entry) => (type === 'shows_nowhere' ? target.name : [])).sort();
  const here = (url: string) => ({ steps: [{ title: 'Hi', quantifier_urls: [{ url }] }], published_at: '$now' });

  it('are listed when no domain of their Environments is on', async () => {
    const staging = await add('url_groups', 'url_group', { name: 'Staging' });
    const production = await add('url_groups', 'url_group', { name: 'Production' });
    const url = await add('urls', 'url', { host: 'app.example.com', enabled: 'on', url_group_id: staging });
    const tour = await addTour({ published_at: '$now', url_group_ids: [staging] });
    await addTour({ name: 'Everywhere', published_at: '$now' });
    await addTour({ name: 'Draft', url_group_ids: [production] });
    expect(await listNowhere()).toEqual([]);
    await api.patch(`/v3/edit/urls/${url}`, { url_group_id: production });
    const { updated_at } = (await api.get(`/v3/edit/urls/${url}`)).body.url;
    expect(await list()).toEqual([
      {
        ...{ type: 'shows_nowhere', severity: 'error', since: updated_at, count: null, step: null },
        target: { type: 'tour', id: tour.id, name: 'Welcome' },
      },
    ]);
    expect(await list(api.other)).toEqual([]);
    // A host without an Environment belongs to all of them.
    await api.patch(`/v3/edit/urls/${url}`, { url_group_id: null });
    expect(await listNowhere()).toEqual([]);
    await api.patch(`/v3/edit/urls/${url}`, { enabled: 'off' });
    expect(await listNowhere()).toEqual(['Everywhere', 'Welcome']);
  });

  it('are listed when their pages are on no domain', async () => {
    await add('urls', 'url', { host: 'example.com', enabled: 'subdomain' });
    await addTour({ name: 'Sub', ...here('app.example.com/*') });
    await addTour({ name: 'Other', ...here('app.example.net/*') });
    await addTour({ name: 'Any', ...here('/home') });
    expect(await listNowhere()).toEqual(['Other']);
  });

  it('are not listed while no domain was added, because they show on localhost', async () => {
    const staging = await add('url_groups', 'url_group', { name: 'Staging' });
    await addTour({ published_at: '$now', url_group_ids: [staging] });
    expect(await listNowhere()).toEqual([]);
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
