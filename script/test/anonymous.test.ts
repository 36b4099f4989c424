import type { BrowserContext, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { call, dialog, uid, until, useHarness } from './browser.ts';

/* Users who have not signed in, and users who have not consented, in a real browser with the real server. */

const harness = useHarness();
const site = { anonymous: true, calls: 'usher.identify()' };
const stored = (page: Page, name = 'anonymous') => page.evaluate((name) => localStorage.getItem(`usher:${name}`), name);
const visits = () => harness.received.filter(({ path }) => path === '/v3/observe/visits').map(({ body }) => body);
const find = (of: string) =>
  harness.api.get('/v3/analyze/profile', { query: new URLSearchParams({ uid: of }).toString() });
const count = async () => (await harness.api.get('/v3/analyze/profiles/count')).body.count;

let context: BrowserContext;
beforeAll(() => harness.api.patch('/v3/edit/account', { anonymous_users: true, trust_pages: true }));
beforeEach(async () => {
  context = await harness.browser.newContext();
  onTestFinished(() => context.close());
});
/** Opens a page and returns the uid that the server has given to its user. */
async function openAnonymous(fields: object = {}): Promise<[Page, string]> {
  const page = await harness.open({ ...site, ...fields }, { context });
  await until(() => stored(page)).toMatch(/^anon_usher_/);
  return [page, String(await stored(page))];
}

describe('a user who has not signed in', () => {
  it('is the same on the next page and in another tab', async () => {
    const [page, own] = await openAnonymous();
    const before = await count();
    await page.reload();
    await until(() => visits().at(-1)).toMatchObject({ anonymous_uid: own });
    await openAnonymous();
    expect([await stored(page), await count()]).toEqual([own, before]);
  });

  it('is one user when two tabs open together', async () => {
    const before = await count();
    const pages = await Promise.all([0, 1].map(() => harness.open(site, { context })));
    await until(() => visits().length).toBe(2);
    for (const page of pages) await until(() => stored(page)).not.toBeNull();
    expect((await count()) - before).toBe(1);
  });

  it('becomes the user who signs in, and is removed from the browser', async () => {
    const [page, own] = await openAnonymous();
    const { id } = (await find(own)).body.profile;
    await call(page, 'identify', uid);
    await until(() => stored(page)).toBeNull();
    const { profile } = (await find(uid)).body;
    expect([profile.id, profile.anonymous]).toEqual([id, undefined]);
    expect(visits().filter((body) => body.uid === uid && body.anonymous_uid === own)).toHaveLength(1);
  });

  it('is merged once when two tabs sign in, and each tab goes on', async () => {
    await harness.createProfile(uid);
    const [page, own] = await openAnonymous();
    const [other] = await openAnonymous();
    await call(page, 'track', 'Opened', {});
    await Promise.all([page, other].map((one) => call(one, 'identify', uid)));
    await until(() => stored(page)).toBeNull();
    await until(async () => (await find(own)).status).toBe(404);
    await call(other, 'track', 'Opened', {});
    const { id } = (await find(uid)).body.profile;
    const filters = [{ kind: 'event', value: 'opened', mod: 'eq', range: 2 }];
    await until(async () =>
      (await harness.api.post('/v3/analyze/profiles', { filters })).body.profiles.map((one: { id: string }) => one.id),
    ).toEqual([id]);
  });

  it('is another one after `clear`', async () => {
    const [page, own] = await openAnonymous();
    await call(page, 'clear');
    expect(await stored(page)).toBeNull();
    await call(page, 'identify');
    await until(() => stored(page)).toMatch(/^anon_usher_/);
    expect(await stored(page)).not.toBe(own);
  });

  it('is kept in memory only with the storage off', async () => {
    const page = await harness.open({ ...site, calls: `usher.init({storage:'none'});usher.identify()` }, { context });
    await until(() => page.evaluate('usher.data.profile.get("uid")')).toMatch(/^anon_usher_/);
    const own = await page.evaluate('usher.data.profile.get("uid")');
    expect(await page.evaluate('localStorage.length+sessionStorage.length')).toBe(0);
    await call(page, 'identify', uid);
    await until(() => visits().at(-1)).toMatchObject({ uid, anonymous_uid: own });
  });

  it('does not exist where the account has none', async () => {
    const page = await harness.open({ calls: `usher.identify();usher.identify({plan:'x'})` }, { context });
    await page.waitForFunction('usher.kind');
    await call(page, 'identify', uid);
    await until(() => visits().length).toBe(1);
    expect(visits()[0]).toMatchObject({ uid });
  });
});

describe('consent', () => {
  const waiting = (then = '') => ({ calls: `usher.consent('pending');usher.identify('${uid}');${then}` });
  const all = () => harness.requests.filter((name) => name.startsWith('POST'));

  it('sends only the address while it is pending, stores nothing, and shows what needs no personal data', async () => {
    await harness.createTour([{ title: 'Personal' }]);
    await harness.createTour([{ title: 'Hello' }], { without_consent: true });
    const page = await harness.open(waiting(`usher.track('Early')`), { context });
    await dialog(page).waitFor();
    expect(harness.received.map(({ path, body }) => [path, Object.keys(body)])).toEqual([
      ['/v3/observe/pages', ['account_token', 'href']],
    ]);
    expect(await page.evaluate('localStorage.length+sessionStorage.length')).toBe(0);
    expect((await find(uid)).status).toBe(404);
    await page
      .getByRole('button', { name: /close|dismiss/i })
      .first()
      .click();
    await dialog(page).waitFor({ state: 'detached' });
    expect(all()).toEqual(['POST /v3/observe/pages']);
  });

  it('goes on in order when it is granted, and remembers only that', async () => {
    const page = await harness.open(waiting(`usher.track('Early')`), { context });
    await until(all).toEqual(['POST /v3/observe/pages']);
    await call(page, 'consent', 'granted');
    await until(all).toContain('POST /v3/observe/events');
    expect(all().slice(1)).toEqual(['POST /v3/observe/visits', 'POST /v3/observe/events']);
    expect(await stored(page, 'consent')).toBe('granted');
    const next = await harness.open(waiting(), { context });
    await until(() => next.evaluate('usher.data.profile.get("uid")')).toBe(uid);
  });

  it('sends nothing when it is denied, and removes what is stored', async () => {
    const [page] = await openAnonymous();
    const before = all().length;
    await call(page, 'consent', 'denied');
    await until(() => page.evaluate('localStorage.length+sessionStorage.length')).toBe(0);
    await call(page, 'identify', uid);
    await call(page, 'track', 'Never');
    await page.reload();
    expect(
      all()
        .slice(before)
        .filter((name) => name.includes('events')),
    ).toEqual([]);
    expect((await find(uid)).status).toBe(404);
  });
});
