import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../test/api.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
  await api.post('/v3/edit/urls', { host: 'app.example.com', enabled: 'on' });
  // From now on all properties that the tests send are known, so that only the user is new.
  await load({ uid: 'first', properties: { plan: 'free', seats: 3 } });
});
afterAll(() => api.stop());

const load = (params: object) =>
  api.post(
    '/v3/observe/visits',
    { account_token: api.account.account_token, href: 'https://app.example.com/home', ...params },
    { as: null },
  );
const stored = async (uid: string) => (await api.get('/v3/analyze/profile', { query: `uid=${uid}` })).body.profile;
const all = () =>
  api.app.storage
    .reader(api.account.account_id)
    .selectFrom('profiles')
    .select(['id', 'uid'])
    .where('account_id', '=', api.account.account_id)
    .execute();

describe('a new user', () => {
  it('creates the same profile as the backend would, seen once', async () => {
    const browser = { x: 1440.4, tz: -8, l: 'pt-br', n: 'chrome', k: 'desktop' };
    const { status, body } = await load({ uid: 'ann', properties: { plan: 'pro', Seats: 5, beta_at: null }, browser });
    expect(status).toBe(200);
    const profile = await stored('ann');
    expect(profile).toMatchObject({
      uid: 'ann',
      email: null,
      plan: 'pro',
      seats: 5,
      browser_x: 1440,
      browser_tz: -8,
      browser_l: 'pt-BR',
      browser_n: 'chrome',
      browser_k: 'desktop',
      last_seen_session_count: 1,
      delivery_ids: [],
      last_cleared_at: null,
    });
    expect(profile).not.toHaveProperty('beta_at');
    expect(profile.last_seen_at).toBe(profile.created_at);
    expect(profile.percent).toBeGreaterThanOrEqual(0);
    expect(profile.percent).toBeLessThanOrEqual(100);
    expect(body.profile).toMatchObject({ id: profile.id, uid: 'ann', plan: 'pro', percent: null });
  });

  it('creates one profile for simultaneous page loads', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => load({ uid: 'many', properties: { plan: 'pro' } })),
    );
    expect(new Set(responses.map(({ body }) => body.profile.id)).size).toBe(1);
    expect((await all()).filter(({ uid }) => uid === 'many')).toHaveLength(1);
    expect((await stored('many')).last_seen_session_count).toBe(1);
  });

  it('creates a profile with the right data for each of several simultaneous new users', async () => {
    const uids = Array.from({ length: 50 }, (_, n) => `crowd-${n}`);
    const responses = await Promise.all(uids.map((uid, n) => load({ uid, properties: { seats: n } })));
    expect(responses.map(({ body }) => [body.profile.uid, body.profile.seats])).toEqual(uids.map((uid, n) => [uid, n]));
    for (const [n, uid] of uids.entries()) expect((await stored(uid)).seats).toBe(n);
  });

  it('shows a new user what was just published', async () => {
    const made = await api.post('/v3/edit/tours', { name: 'New', steps: [{ title: 'Hi' }], published_at: '$now' });
    const { body } = await load({ uid: 'later' });
    expect(body.experiences.map(({ id }: { id: string }) => id)).toEqual([made.body.tour.id]);
    await api.send('DELETE', `/v3/edit/tours/${made.body.tour.id}`);
  });

  it('creates a Property for a new property of a new user', async () => {
    await load({ uid: 'brings', properties: { never_seen_before: true } });
    const { body } = await api.get('/v3/edit/properties', { query: 'kind=profile' });
    expect(body.properties.map(({ name }: { name: string }) => name)).toContain('never_seen_before');
  });
});
