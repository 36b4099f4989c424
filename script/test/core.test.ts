import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startWorld, type World } from './browser.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

let uid = '';
let count = 0;
const made: string[] = [];
beforeEach(async () => {
  uid = `user ${++count}`;
  world.isUp = true;
  world.asked.length = 0;
  for (const id of made.splice(0)) await world.api.patch(`/v3/edit/tours/${id}`, { published_at: null });
});

async function makeTour(steps: object[], given: object = {}): Promise<{ id: string; steps: { id: string }[] }> {
  const { status, body } = await world.api.post('/v3/edit/tours', {
    name: 'Tour',
    steps,
    published_at: '$now',
    ...given,
  });
  expect([status, body.messages]).toEqual([201, undefined]);
  made.push(body.tour.id);
  return body.tour;
}

const dialog = (page: Page, name = 'Hello') => page.getByRole('dialog', { name });
async function interactions(id: string) {
  return (await world.api.get('/v3/analyze/interactions', { query: `id=${id}&expand[profile]=all` })).body.interactions;
}
const until = (work: () => Promise<unknown>) => expect.poll(work, { timeout: 5000 });

describe('a page', () => {
  it('names the user, shows what is to be shown, and reports it', async () => {
    const tour = await makeTour([
      { title: 'Hello', body: 'Some **strong** words', buttons: [{ text: 'Done', tour_action: 'next' }] },
    ]);
    const page = await world.open({}, { uid });
    await dialog(page).waitFor();
    expect(await dialog(page).locator('strong').textContent()).toBe('strong');
    await until(() => interactions(tour.id)).toMatchObject([{ state: 'started', profile: { uid } }]);
    await page.getByRole('button', { name: 'Done' }).click();
    await until(() => interactions(tour.id)).toMatchObject([{ state: 'completed' }]);
    expect(await dialog(page).count()).toBe(0);
    expect(await page.evaluate(() => document.querySelector('usher-layer'))).toBeNull();
  });

  it('loads nothing but the core where there is nothing to show', async () => {
    const page = await world.open({
      calls: `usher.on('after:profile',p=>{window.got=p});usher.identify({uid:'x',plan:'pro'})`,
    });
    await page.waitForFunction(() => 'got' in window);
    expect(world.asked).toEqual(['core', 'POST /v3/observe/visits']);
    // biome-ignore lint/suspicious/noExplicitAny: the page's own
    expect(await page.evaluate(() => (window as any).usher.data.profile.get('plan'))).toBe('pro');
  });

  it('loads nothing at all where its host is not on', async () => {
    const page = await world.open({ hosts: ['example.com', '.example.com'] }, { uid });
    await page.waitForLoadState('networkidle');
    expect(world.asked).toEqual([]);
    const other = await world.open({ hosts: ['127.0.0.1'] }, { uid });
    await other.waitForFunction(() => 'kind' in (window as unknown as { usher: object }).usher);
  });

  it('has its calls done in order, also those before the script is there', async () => {
    const calls = `window.log=[];
      for (const name of ['load','after:account','identify:request','identify:sync','after:profile','usher:event','tour:event','app:navigate'])
        usher.on(name,()=>log.push(name));
      usher.track('One',{a:1});usher.identify('${uid}',{plan:'pro'});usher.track('Two');usher.set({seats:3});`;
    const page = await world.open({ calls });
    await page.waitForFunction(() => (window as unknown as { log: string[] }).log.includes('after:profile'));
    expect(await page.evaluate(() => (window as unknown as { log: string[] }).log)).toEqual([
      'usher:event',
      'usher:event',
      'load',
      'after:account',
      'identify:request',
      'identify:sync',
      'after:profile',
    ]);
    const profile = async () =>
      (await world.api.get('/v3/analyze/profile', { query: new URLSearchParams({ uid }).toString() })).body.profile;
    expect(await profile()).toMatchObject({ plan: 'pro', seats: 3 });
    await until(async () => world.asked.filter((one) => one.endsWith('/events')).length).toBe(2);
    expect(world.asked.filter((one) => one.endsWith('/visits'))).toHaveLength(1);
  });

  it('never hears an error of ours, whatever it calls', async () => {
    const calls = `usher.on('load',()=>{throw Error('mine')});usher.identify();usher.identify(null,7);usher.set(1);usher.track({});usher.show();usher.show({},null);usher.on();usher.off();usher.nothing;usher.init(null);usher.clear();usher.identify('${uid}');usher.on('after:profile',()=>{window.ok=true})`;
    const page = await world.open({ calls });
    await page.waitForFunction(() => 'ok' in window);
  });
});

describe('a step', () => {
  const at = (selector: string) => ({ elements: [{ selector }], position_type: 'snap_to_element' });

  it('comes with its element, follows it, and goes with it', async () => {
    await makeTour([{ title: 'Hello', ...at('#target'), placement: 'right' }]);
    const page = await world.open({ body: '<main></main>' }, { uid });
    await page.waitForFunction(() => 'kind' in (window as unknown as { usher: object }).usher);
    await until(async () => world.asked.includes('tour')).toBe(true);
    expect(await dialog(page).count()).toBe(0);
    await page.evaluate(() => {
      document
        .querySelector('main')
        ?.insertAdjacentHTML(
          'beforeend',
          '<button id=target style="position:absolute;left:100px;top:200px;width:80px;height:40px">T</button>',
        );
    });
    await dialog(page).waitFor();
    const leftOf = async () => Math.round((await dialog(page).boundingBox())?.x ?? 0);
    await until(leftOf).toBe(192);
    await page.evaluate(() => document.getElementById('target')?.style.setProperty('left', '300px'));
    await until(leftOf).toBe(392);
    await page.evaluate(() => document.getElementById('target')?.style.setProperty('display', 'none'));
    await dialog(page).waitFor({ state: 'detached' });
    await page.evaluate(() => document.getElementById('target')?.style.setProperty('display', 'block'));
    await dialog(page).waitFor();
  });

  it('is found in a shadow root, in a frame, by its text', async () => {
    await makeTour([
      {
        title: 'Shadow',
        elements: [{ selector: '#host', shadow_selector: 'b' }],
        position_type: 'snap_to_element',
        placement: 'bottom',
      },
      { title: 'Frame', ...at('#framed'), placement: 'bottom' },
      { title: 'Text', elements: [{ text: 'Save all' }], position_type: 'snap_to_element', placement: 'bottom' },
    ]);
    const body = `<div id=host></div><iframe srcdoc="<p style='margin:100px 0 0 50px;width:60px' id=framed>F</p>" style="position:absolute;left:200px;top:100px;border:0;width:300px;height:300px"></iframe>
      <p>Do not</p><p style="width:100px">Save <i>all</i></p><script>document.getElementById('host').attachShadow({mode:'open'}).innerHTML='<b>in</b>'</script>`;
    const page = await world.open({ body }, { uid });
    await dialog(page, 'Shadow').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await dialog(page, 'Frame').waitFor();
    const box = await dialog(page, 'Frame').boundingBox();
    expect(Math.round((box?.x ?? 0) + (box?.width ?? 0) / 2)).toBe(288);
    await page.getByRole('button', { name: 'Next' }).click();
    await dialog(page, 'Text').waitFor();
  });

  it('waits for its page, and follows the user there and back', async () => {
    await makeTour([
      { title: 'One', quantifier_urls: [{ url: '/' }] },
      { title: 'Two', quantifier_urls: [{ url: '/two' }] },
    ]);
    const page = await world.open({}, { uid });
    await dialog(page, 'One').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await dialog(page, 'One').waitFor({ state: 'detached' });
    expect(await dialog(page, 'Two').count()).toBe(0);
    await page.evaluate(() => history.pushState(null, '', `/two${location.search}`));
    await dialog(page, 'Two').waitFor();
    await until(async () => world.asked.filter((one) => one.endsWith('/visits')).length).toBe(2);
    await page.goBack();
    await dialog(page, 'Two').waitFor({ state: 'detached' });
    await page.goForward();
    await dialog(page, 'Two').waitFor();
    // The page is loaded anew: the tour goes on there.
    await page.reload();
    await dialog(page, 'Two').waitFor();
  });

  it.each(['click', 'hover', 'input'])('waits for %s', async (secondary_trigger) => {
    await makeTour([{ title: 'Hello', secondary_trigger, elements: [{ selector: '.it' }] }]);
    const page = await world.open({ body: '<input class=other><input class=it>' }, { uid });
    await until(async () => world.asked.includes('tour')).toBe(true);
    const act = (selector: string) =>
      secondary_trigger === 'click'
        ? page.click(selector)
        : secondary_trigger === 'hover'
          ? page.hover(selector)
          : page.fill(selector, 'x');
    await page.waitForFunction(() => document.readyState === 'complete');
    await page.waitForLoadState('networkidle');
    await act('.other');
    expect(await dialog(page).count()).toBe(0);
    await act('.it');
    await dialog(page).waitFor();
  });

  it('waits for what its author wrote in code, where that may run', async () => {
    await world.api.patch('/v3/edit/account', { allow_scripts: true });
    await makeTour([{ title: 'Hello', secondary_trigger: 'custom_trigger', custom_trigger: 'return window.ready' }]);
    const page = await world.open({}, { uid });
    const strict = await world.open(
      { nonce: 'abc', headers: { 'Content-Security-Policy': `script-src 'nonce-abc' 'strict-dynamic'` } },
      { uid: `${uid} strict` },
    );
    for (const one of [page, strict]) {
      await one.waitForLoadState('networkidle');
      expect(await dialog(one).count()).toBe(0);
      await one.evaluate(() => {
        Object.assign(window, { ready: true });
        document.body.append('changed');
      });
      await dialog(one).waitFor();
    }
  });

  it('is not shown under a dialog of the page, and is usable in one', async () => {
    await makeTour([{ title: 'Hello', ...at('#target') }]);
    const body =
      '<button id=target>T</button><dialog id=d style="width:90vw;height:90vh"><button id=in>In</button></dialog>';
    const page = await world.open({ body }, { uid });
    await dialog(page).waitFor();
    await page.evaluate(() => (document.getElementById('d') as HTMLDialogElement).showModal());
    await dialog(page).waitFor({ state: 'detached' });
    await page.evaluate(() => document.getElementById('d')?.append(document.getElementById('target') as Node));
    await dialog(page).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await dialog(page).waitFor({ state: 'detached' });
  });
});

describe('a Delivery', () => {
  const deliver = async (model_id: string, given: object = {}) =>
    (await world.api.post('/v3/edit/deliveries', { model_kind: 'tour', model_id, uid, ...given })).body.delivery.id;
  const visited = () =>
    world.api.post(
      '/v3/observe/visits',
      { account_token: world.api.account.account_token, uid, href: 'http://127.0.0.1/' },
      { as: null },
    );

  it('is shown in one of two tabs that ask for it at a time', async () => {
    const tour = await makeTour([{ title: 'Hello', secondary_trigger: 'click', elements: [{ selector: '#b' }] }], {
      style: 'manual',
    });
    await visited();
    const id = await deliver(tour.id, { skip_triggers: false });
    const context = await world.browser.newContext();
    const site = { body: '<button id=b>B</button>' };
    const pages = [await world.open(site, { uid, context }), await world.open(site, { uid, context })];
    for (const page of pages) await page.waitForLoadState('networkidle');
    await Promise.all(pages.map((page) => page.evaluate(() => document.getElementById('b')?.click())));
    await until(async () => world.asked.filter((one) => one.endsWith('/interactions')).length).toBeGreaterThanOrEqual(
      2,
    );
    for (const page of pages) await page.waitForLoadState('networkidle');
    expect((await Promise.all(pages.map((page) => dialog(page).count()))).sort()).toEqual([0, 1]);
    expect((await world.api.get(`/v3/edit/deliveries/${id}`)).body.delivery.at).not.toBeNull();
    await context.close();
  });

  it('fills its options in as words, never as elements', async () => {
    const body = 'From **{{delivery "manager.name"}}**, [see]({{delivery "link"}})';
    const tour = await makeTour([{ title: 'Hello', body }], { style: 'manual' });
    await visited();
    await deliver(tour.id, {
      options: { manager: { name: '<img src=x onerror=alert(1)>' }, link: 'javascript:alert(1)' },
    });
    const page = await world.open({}, { uid });
    await dialog(page).waitFor();
    expect(await dialog(page).locator('strong').textContent()).toBe('<img src=x onerror=alert(1)>');
    expect(await dialog(page).locator('img, a').count()).toBe(0);
  });

  it('waits for the triggers of its first step where it has to', async () => {
    const tour = await makeTour([{ title: 'Hello', secondary_trigger: 'click', elements: [{ selector: '#b' }] }], {
      style: 'manual',
    });
    await visited();
    const id = await deliver(tour.id, { skip_triggers: false });
    const page = await world.open({ body: '<button id=b>B</button>' }, { uid });
    await until(async () => world.asked.includes('tour')).toBe(true);
    await page.waitForLoadState('networkidle');
    expect((await world.api.get(`/v3/edit/deliveries/${id}`)).body.delivery.at).toBeNull();
    await page.click('#b');
    await dialog(page).waitFor();
    expect((await world.api.get(`/v3/edit/deliveries/${id}`)).body.delivery.at).not.toBeNull();
  });
});

describe('asking for one', () => {
  // biome-ignore lint/suspicious/noExplicitAny: the page's own
  const show = (page: Page, ...given: unknown[]) => page.evaluate((all) => (window as any).usher.show(...all), given);

  it('shows it, whatever is shown, and tells that the page has asked', async () => {
    const automatic = await makeTour([{ title: 'By itself' }]);
    const asked = await makeTour([{ title: 'Asked', secondary_trigger: 'click', elements: [{ selector: '#none' }] }], {
      style: 'manual',
    });
    const page = await world.open({}, { uid });
    await dialog(page, 'By itself').waitFor();
    await show(page, asked.id);
    await dialog(page, 'Asked').waitFor();
    expect(await dialog(page, 'By itself').count()).toBe(0);
    await until(() => interactions(asked.id)).toMatchObject([{ state: 'started', group_kind: 'api_js' }]);
    await until(() => interactions(automatic.id)).toMatchObject([{ state: 'started' }]);
  });

  it('goes to an address first where that is wanted', async () => {
    const tour = await makeTour([{ title: 'There', quantifier_urls: [{ url: '/there' }] }], { style: 'manual' });
    const page = await world.open({}, { uid });
    await page.waitForLoadState('networkidle');
    await show(page, tour.id, { redirect: `/there${new URL(page.url()).search}` });
    await dialog(page, 'There').waitFor();
    expect(new URL(page.url()).pathname).toBe('/there');
  });
});

describe('an element that is not found', () => {
  it('is told of when the page goes, with the reason', async () => {
    const tour = await makeTour([
      { title: 'Hello', elements: [{ selector: '#gone' }], position_type: 'snap_to_element' },
    ]);
    const page = await world.open({}, { uid });
    await page.waitForLoadState('networkidle');
    await page.waitForFunction(() => performance.now() > 3000);
    await page.goto('about:blank');
    const problems = async () => (await world.api.get(`/v3/analyze/tours/${tour.id}/problems`)).body.problems;
    await until(problems).toMatchObject([
      { step_id: tour.steps[0]?.id, path: '/', reason: 'not_found', users_count: 1 },
    ]);
  });
});

describe('manners', () => {
  it('a server that is away is asked again, and nobody hears of it', async () => {
    const tour = await makeTour([{ title: 'Hello' }]);
    const page = await world.open({}, { uid });
    await dialog(page).waitFor();
    await until(() => interactions(tour.id)).toMatchObject([{ state: 'started' }]);
    world.isUp = false;
    await page.getByRole('button', { name: 'Done' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    const failed = page.waitForEvent('requestfailed');
    await failed;
    world.isUp = true;
    await until(() => interactions(tour.id)).toMatchObject([{ state: 'completed' }]);
  });

  it('what the user did last is told when the page goes', async () => {
    const tour = await makeTour([{ title: 'Hello' }]);
    const page = await world.open({}, { uid });
    await dialog(page).waitFor();
    await page.evaluate(() => {
      const button = [...(document.querySelector('usher-layer')?.shadowRoot?.querySelectorAll('button') ?? [])].find(
        (one) => one.textContent === 'Done',
      );
      button?.click();
      location.href = 'about:blank';
    });
    await until(() => interactions(tour.id)).toMatchObject([{ state: 'completed' }]);
  });

  it('storage that is denied changes nothing', async () => {
    await makeTour([{ title: 'Hello' }]);
    const head = `<script>Object.defineProperty(window,'sessionStorage',{get(){throw new DOMException('denied','SecurityError')}})</script>`;
    const page = await world.open({ head }, { uid });
    await dialog(page).waitFor();
  });

  it('keeps nothing in the browser where that is not wanted', async () => {
    await makeTour([{ title: 'Hello' }]);
    const page = await world.open({ calls: `usher.init({storage:'none'});usher.identify('${uid}')` });
    await dialog(page).waitFor();
    expect(await page.evaluate(() => [sessionStorage.length, localStorage.length, document.cookie])).toEqual([
      0,
      0,
      '',
    ]);
  });

  it('works under a strict policy, with Trusted Types, and breaks none of it', async () => {
    await makeTour([{ title: 'Hello', body: 'Words' }]);
    const policy = `default-src 'none'; script-src 'nonce-abc' 'strict-dynamic'; connect-src http:; require-trusted-types-for 'script'; trusted-types usher`;
    const page = await world.open({
      nonce: 'abc',
      headers: { 'Content-Security-Policy': policy },
      calls: `window.broken=[];addEventListener('securitypolicyviolation',e=>broken.push(e.violatedDirective));usher.identify('${uid}')`,
    });
    await dialog(page).waitFor();
    expect(await page.evaluate(() => (window as unknown as { broken: string[] }).broken)).toEqual([]);
    expect(await dialog(page).evaluate((box) => getComputedStyle(box).position)).toBe('fixed');
  });
});
