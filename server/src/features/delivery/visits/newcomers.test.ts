import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { engine } from '../../../../test/engine.ts';

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

  it('never deadlocks when simultaneous page loads bring new properties', async () => {
    const cold = await startApi();
    const { storage } = cold.app;
    // PostgreSQL resolves deadlocks after a second. With this, the statements of a deadlock fail instead.
    if (engine === 'postgres' && inject('canCopyDatabases'))
      await storage.write(null, (db) =>
        sql`do $$ begin
          execute format('alter database %I set deadlock_timeout = ''1min''', current_database());
        end $$`.execute(db),
      );
    await cold.post('/v3/edit/urls', { host: 'app.example.com', enabled: 'on' });
    const { account_token } = cold.account;
    const href = 'https://app.example.com/home';
    const loads = Array.from({ length: 20 }, (_, n) => ({ uid: 'many', properties: { [`p${n}`]: n } }));
    const responses = await Promise.all(
      loads.map((params) => cold.post('/v3/observe/visits', { account_token, href, ...params }, { as: null })),
    );
    expect(responses.map(({ status }) => status)).toEqual(loads.map(() => 200));
    const { profile } = (await cold.get('/v3/analyze/profile', { query: 'uid=many' })).body;
    expect(profile).toMatchObject(Object.assign({}, ...loads.map(({ properties }) => properties)));
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
