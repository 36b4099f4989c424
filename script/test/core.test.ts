import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { call, dialog, uid, until, useHarness } from './browser.ts';

const harness = useHarness();

const visits = () => harness.received.filter(({ path }) => path.endsWith('/visits'));
const events = () => harness.received.filter(({ path }) => path.endsWith('/events')).map(({ body }) => body);
const profileOf = async (uid: string) =>
  (await harness.api.get('/v3/analyze/profile', { query: new URLSearchParams({ uid }).toString() })).body.profile;
const log = (page: Page) => page.evaluate(() => (window as unknown as { log: unknown[] }).log);
const known = (page: Page, key?: string) =>
  page.evaluate((key) => (window as never as { usher: Usher }).usher.data.profile.get(key), key);
interface Usher {
  data: { profile: { get(key?: string): unknown } };
}

describe('a page', () => {
  it('identifies the user, shows a tour, and reports it', async () => {
    const tour = await harness.createTour([
      { title: 'Hello', body: 'Some **strong** words', buttons: [{ text: 'Done', tour_action: 'next' }] },
    ]);
    const page = await harness.open({}, { uid });
    await dialog(page).waitFor();
    expect(await dialog(page).locator('strong').textContent()).toBe('strong');
    await until(() => harness.interactions(tour.id)).toMatchObject([{ state: 'started', profile: { uid } }]);
    await page.getByRole('button', { name: 'Done' }).click();
    await until(() => harness.interactions(tour.id)).toMatchObject([{ state: 'completed' }]);
    expect(await dialog(page).count()).toBe(0);
    expect(await page.locator('usher-layer').count()).toBe(0);
  });

  it('loads only the core if there is nothing to show', async () => {
    const calls = `usher.on('after:profile',()=>{window.got=1});usher.identify({uid:'${uid}',plan:'pro'})`;
    const page = await harness.open({ calls });
    await page.waitForFunction(() => 'got' in window);
    expect(harness.requests).toEqual(['core', 'POST /v3/observe/visits']);
  });

  it('makes calls in order, also calls from before the script has loaded', async () => {
    const calls = `usher.track('One',{a:1});usher.identify('${uid}',{plan:'pro'});usher.track('Two');usher.set({seats:3})`;
    await harness.open({ calls });
    await until(() => events().map(({ name, properties }) => [name, properties])).toEqual([
      ['One', { a: 1 }],
      ['Two', {}],
    ]);
    expect(visits()).toHaveLength(1);
    expect(await profileOf(uid)).toMatchObject({ plan: 'pro', seats: 3 });
  });

  it('merges calls of `identify` for the same user before the first visit, and keeps the hash', async () => {
    const first = "email:'two@acme.test',plan:'pro',company:{uid:'931'},uid_hash:'h'";
    const calls = `usher.identify('${uid}',{${first}});usher.identify('${uid}',{role:'admin'})`;
    await harness.open({ calls });
    await until(() => visits().length).toBe(1);
    expect(visits()[0]?.body).toMatchObject({ uid, uid_hash: 'h', email: 'two@acme.test', company: { uid: '931' } });
    await until(() => profileOf(uid)).toMatchObject({ email: 'two@acme.test', plan: 'pro', role: 'admin' });
  });

  it('merges a later call of `identify` for the same user, and sends another visit only if something is new', async () => {
    const page = await harness.open({ calls: `usher.identify('${uid}',{plan:'pro',uid_hash:'h'})` });
    await until(() => visits().length).toBe(1);
    await call(page, 'identify', uid, { seats: 3 });
    await until(() => visits().length).toBe(2);
    expect(visits()[1]?.body).toMatchObject({ uid, uid_hash: 'h', properties: { plan: 'pro', seats: 3 } });
    await call(page, 'identify', uid, { plan: 'pro' });
    await call(page, 'track', 'Later');
    await until(() => events().length).toBe(1);
    expect(visits()).toHaveLength(2);
  });

  it('receives all events in order until it removes its handlers', async () => {
    await harness.createTour([{ title: 'Hello' }]);
    const names =
      'load,after:account,identify:request,identify:sync,after:profile,usher:event,tour:event,app:navigate'.split(',');
    const calls = `window.log=[];${JSON.stringify(names)}.forEach(n=>usher.on(n,d=>log.push([n,d])));usher.identify('${uid}',{plan:'pro'})`;
    const page = await harness.open({ calls });
    await dialog(page).waitFor();
    await call(page, 'track', 'Did', { a: 1 });
    await page.evaluate(() => history.pushState(null, '', `/two${location.search}`));
    await until(async () => (await log(page)).length).toBe(11);
    const received = (await log(page)) as [string, Record<string, unknown>][];
    expect(received.map(([name]) => name)).toEqual([
      ...['load', 'after:account', 'identify:request', 'identify:sync', 'after:profile', 'tour:event'],
      ...['usher:event', 'app:navigate', 'identify:request', 'identify:sync', 'after:profile'],
    ]);
    const account_token = harness.api.account.account_token;
    expect(received[1]?.[1]).toEqual({ token: account_token });
    expect(received[2]?.[1]).toMatchObject({ account_token, uid, properties: { plan: 'pro' } });
    expect(received[4]?.[1]).toMatchObject({ uid, plan: 'pro' });
    expect(received[5]?.[1]).toMatchObject({ kind: 'tour', state: 'started' });
    expect(received[6]?.[1]).toEqual({ name: 'Did', properties: { a: 1 } });
    expect(received[7]?.[1]).toEqual({ href: page.url() });

    await page.evaluate(() => {
      const { usher, log } = window as never as {
        usher: Record<string, (...args: unknown[]) => void>;
        log: unknown[];
      };
      const mine = () => log.push('mine');
      usher.on?.('usher:event', mine);
      usher.off?.('usher:event', mine);
      usher.off?.('usher:event');
      usher.track?.('Again');
    });
    expect(await log(page)).toHaveLength(11);
  });

  it('can read the profile of the user', async () => {
    const page = await harness.open({ calls: `usher.identify({uid:'${uid}',email:'ann@acme.test',plan:'pro'})` });
    await until(() => known(page)).toMatchObject({ uid, email: 'ann@acme.test' });
    expect(await known(page, 'plan')).toBe('pro');
    await call(page, 'set', { seats: 3 });
    expect(await known(page, 'seats')).toBe(3);
    expect(await known(page, 'nothing')).toBeUndefined();
    await call(page, 'clear');
    expect(await known(page, 'plan')).toBeUndefined();
  });

  it('forgets the user after `clear`, and then knows the next one', async () => {
    await harness.createTour([{ title: 'Hello' }]);
    const page = await harness.open({}, { uid });
    await dialog(page).waitFor();
    await call(page, 'clear');
    expect(await dialog(page).count()).toBe(0);
    await call(page, 'track', 'Nobody did it');
    await call(page, 'identify', `${uid} b`);
    await dialog(page).waitFor();
    await call(page, 'identify', `${uid} b`);
    await call(page, 'identify', `${uid} c`);
    await until(() => visits().map(({ body }) => body.uid)).toEqual([uid, `${uid} b`, `${uid} c`]);
  });

  it('receives no error of the script, whatever it calls', async () => {
    const calls = `usher.on('load',()=>{throw Error('mine')});usher.identify();usher.identify(null,7);usher.set(1);usher.track({});usher.show();usher.show({},null);usher.show('x',null);usher.on();usher.off();usher.nothing;usher.init(null);usher.clear();usher.identify('${uid}');usher.on('after:profile',()=>{window.ok=true})`;
    const page = await harness.open({ calls });
    await page.waitForFunction(() => 'ok' in window);
  });

  it('shows labels in the language of the user, else in English', async () => {
    await harness.createTour([{ title: 'Hello' }, { title: 'Two' }]);
    const labels = { next: 'Weiter', close: 'Schließen', progress: '{0} von {1}' };
    const page = await harness.open({ labels }, { uid });
    await dialog(page).waitFor();
    await dialog(page).getByRole('img', { name: '1 von 2' }).waitFor();
    await page.getByRole('button', { name: 'Schließen' }).waitFor();
    await page.getByRole('button', { name: 'Weiter' }).click();
    await page.getByRole('button', { name: 'Back' }).waitFor();
  });
});

describe('`usher.show`', () => {
  const manual = { style: 'manual' };
  const shows = () => harness.received.filter(({ path }) => path.endsWith('/shows')).length;

  it('shows the tour instead of another one, and reports that the page asked for it', async () => {
    const automatic = await harness.createTour([{ title: 'Automatic' }]);
    const waits = { secondary_trigger: 'click', elements: [{ selector: '#none' }], quantifier_urls: [{ url: '/x' }] };
    const requested = await harness.createTour([{ title: 'Asked', ...waits }], manual);
    const page = await harness.open({}, { uid });
    await dialog(page, 'Automatic').waitFor();
    await call(page, 'show', requested.id);
    await dialog(page, 'Asked').waitFor();
    expect(await dialog(page, 'Automatic').count()).toBe(0);
    await until(() => harness.interactions(requested.id)).toMatchObject([{ state: 'started', group_kind: 'api_js' }]);
    await until(() => harness.interactions(automatic.id)).toMatchObject([{ state: 'started' }]);
  });

  it('can respect Segments, what the user has seen, and URLs', async () => {
    const segment = { name: 'Gold', items: [{ kind: 'property', prop: 'plan', op: 'eq', value: 'gold' }] };
    const { id: segment_id } = (await harness.api.post('/v3/edit/segments', segment)).body.segment;
    const forGold = await harness.createTour([{ title: 'Gold' }], { ...manual, segment_ids: [segment_id] });
    const there = await harness.createTour([{ title: 'There', quantifier_urls: [{ url: '/there' }] }], manual);
    const any = await harness.createTour([{ title: 'Any' }], manual);
    const page = await harness.open({}, { uid });
    await call(page, 'show', any.id, { once: true });
    await page.getByRole('button', { name: 'Done' }).click();
    await until(() => harness.interactions(any.id)).toMatchObject([{ state: 'completed' }]);

    const rejected: [id: string, options: object][] = [
      [forGold.id, { use_segmentation: true }],
      [any.id, { once: true }],
      [there.id, { skip_url_match: false }],
    ];
    for (const [id, options] of rejected) {
      const responded = page.waitForResponse(/\/shows$/);
      await call(page, 'show', id, options);
      expect(((await (await responded).json()) as { experience: unknown }).experience).toBeNull();
    }
    expect(await page.getByRole('dialog').count()).toBe(0);
    await call(page, 'show', forGold.id);
    await dialog(page, 'Gold').waitFor();
    await call(page, 'show', any.id);
    await dialog(page, 'Any').waitFor();
  });

  it('waits for the triggers of the first step if asked to', async () => {
    const tour = await harness.createTour(
      [{ title: 'Hello', secondary_trigger: 'click', elements: [{ selector: '#b' }] }],
      manual,
    );
    const page = await harness.open({ body: '<button id=b>B</button>' }, { uid });
    await call(page, 'show', tour.id, { skip_triggers: false });
    await until(() => harness.requests.includes('renderer')).toBe(true);
    await page.waitForLoadState('networkidle');
    expect(await dialog(page).count()).toBe(0);
    await page.click('#b');
    await dialog(page).waitFor();
  });

  it('opens and closes a launcher', async () => {
    const launcher = await harness.create('launcher', { title: 'Help', items: [{ title: 'Docs', url: '/docs' }] });
    const page = await harness.open({}, { uid });
    const opener = page.getByRole('button', { name: 'Help' });
    await opener.waitFor();
    await call(page, 'show', launcher.id, { open: true });
    await dialog(page, 'Help').waitFor();
    await call(page, 'show', launcher.id, { close: true });
    await dialog(page, 'Help').waitFor({ state: 'detached' });
    expect(shows()).toBe(0);
    expect(await opener.count()).toBe(1);
  });

  it('fills options into merge tags', async () => {
    const tour = await harness.createTour([{ title: 'Hello', body: 'From {{delivery "who"}}' }], manual);
    const page = await harness.open({}, { uid });
    await call(page, 'show', tour.id, { options: { who: 'Ann' } });
    await dialog(page).getByText('From Ann').waitFor();
  });

  it('goes to an address first, and shows the tour there', async () => {
    const tour = await harness.createTour([{ title: 'There' }], manual);
    const page = await harness.open({}, { uid });
    const { search } = new URL(page.url());
    await call(page, 'show', tour.id, { redirect: 'javascript:alert(1)' });
    await dialog(page, 'There').waitFor();
    await call(page, 'show', tour.id, { redirect: `/there${search}` });
    await page.waitForURL('**/there?**');
    await dialog(page, 'There').waitFor();
    expect(page.url()).not.toContain('usher=');
  });

  it('goes to the URL of the first step if that is a plain address', async () => {
    const { search } = new URL((await harness.open({}, { uid })).url());
    const steps = (url: string) => [{ title: 'There', quantifier_urls: [{ url: '/x/*' }, { url }] }];
    const there = await harness.createTour(steps(`/there${search}`), manual);
    const nowhere = await harness.createTour([{ title: 'Nowhere', quantifier_urls: [{ url: '/x/*' }] }], manual);
    const page = await harness.open({}, { uid });
    await call(page, 'show', nowhere.id, { redirect: true });
    await dialog(page, 'Nowhere').waitFor();
    await call(page, 'show', there.id, { redirect: true });
    await page.waitForURL('**/there?**');
    await dialog(page, 'There').waitFor();
    // The page is already at the URL of the first step.
    await call(page, 'show', there.id, { redirect: true });
    await until(shows).toBe(4);
    expect(new URL(page.url()).pathname).toBe('/there');
  });

  it('goes to an address also without storage, with the ID in the address', async () => {
    const tour = await harness.createTour([{ title: 'There' }], manual);
    const calls = `usher.init({storage:'none'});usher.identify('${uid}')`;
    const page = await harness.open({ calls });
    await call(page, 'show', tour.id, { redirect: `/there${new URL(page.url()).search}` });
    await page.waitForURL(`**/there?**usher=${tour.id}`);
    await dialog(page, 'There').waitFor();
  });
});

describe('a link', () => {
  it.each(['?', '#'])('with %susher= starts a tour each time the user follows it', async (sign) => {
    const tour = await harness.createTour([{ title: 'Linked' }], { style: 'manual' });
    const page = await harness.open({}, { uid });
    const plain = page.url();
    const linked = `${plain}${sign === '?' ? '&' : sign}usher=${tour.id}`;
    const goTo = (to: string) => page.evaluate((to) => history.pushState(null, '', to), to);
    const visited = async (work: Promise<unknown>) => {
      await Promise.all([page.waitForResponse(/visits$/), work]);
      await page.evaluate(() => new Promise(requestAnimationFrame));
    };
    await until(() => visits().length).toBe(1);
    await goTo(linked);
    await page.getByRole('button', { name: 'Done' }).click();
    await until(() => harness.interactions(tour.id)).toMatchObject([{ state: 'completed', group_kind: 'link' }]);
    // Another visit or a reload does not start it again.
    await visited(call(page, 'set', { a: 1 }));
    await visited(page.reload());
    expect(harness.received.filter(({ path }) => path.endsWith('/shows'))).toHaveLength(1);
    expect(await dialog(page, 'Linked').count()).toBe(0);
    await goTo(plain);
    await goTo(linked);
    await dialog(page, 'Linked').waitFor();
  });

  it('starts nothing if the value is not an ID', async () => {
    const page = await harness.open({}, { uid, hash: '#usher=%22%3E%3Cimg%20src%3Dx%3E' });
    await until(() => visits().length).toBe(1);
    await page.waitForLoadState('networkidle');
    expect(harness.requests).toEqual(['core', 'POST /v3/observe/visits']);
  });
});
