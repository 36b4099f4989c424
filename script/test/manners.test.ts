import type { Page, Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { call, dialog, uid, until, useHarness } from './browser.ts';

const harness = useHarness();

const done = (page: Page) => page.getByRole('button', { name: 'Done' }).click();
const sentTo = (end: string) => harness.received.filter(({ path }) => path.endsWith(end)).map(({ body }) => body);
const minute = 60_000;
const isEvent = (request: Request, a: number) =>
  request.url().endsWith('/v3/observe/events') && request.postDataJSON().properties.a === a;
/** Counts how often an event was stored, for all profiles. */
async function countOf(name: string): Promise<number | undefined> {
  const { app: server, account } = harness.api;
  const rows = await server.storage
    .reader(account.account_id)
    .selectFrom('profile_events')
    .select('count')
    .where('account_id', '=', account.account_id)
    .where('name', '=', name.replace(' ', '_'))
    .execute();
  return rows[0]?.count;
}

describe('an unavailable server', () => {
  it('receives retried reports, and the page sees no error', async () => {
    const tour = await harness.createTour([{ title: 'Hello' }]);
    const page = await harness.open({ clock: true }, { uid });
    await dialog(page).waitFor();
    await until(() => harness.interactions(tour.id)).toMatchObject([{ state: 'started' }]);
    harness.isUp = false;
    await done(page);
    await dialog(page).waitFor({ state: 'detached' });
    await call(page, 'track', 'Did');
    const countRequests = () => harness.requests.filter((one) => one.endsWith('/interactions')).length;
    // The page sets its next timer when a request has failed, so the clock goes on until it does.
    const aMinuteLater = async <Result>(read: () => Result) => {
      await page.clock.fastForward(minute);
      return read();
    };
    for (let times = 1; times <= 3; times++) {
      const before = countRequests();
      await until(() => aMinuteLater(countRequests)).toBeGreaterThan(before);
    }
    harness.isUp = true;
    await until(() => aMinuteLater(() => harness.interactions(tour.id))).toMatchObject([{ state: 'completed' }]);
    await until(() => sentTo('/events')).toMatchObject([{ name: 'Did' }]);
  });

  it('receives from the next page what this page could not send, once', async () => {
    const tour = await harness.createTour([{ title: 'Hello' }]);
    const page = await harness.open({ clock: true }, { uid });
    await dialog(page).waitFor();
    await until(() => harness.interactions(tour.id)).toMatchObject([{ state: 'started' }]);
    harness.isUp = false;
    const failed = page.waitForEvent('requestfailed');
    await done(page);
    await call(page, 'track', 'Did', { a: 1 });
    await failed;
    // The script files cannot be loaded while the server is unavailable.
    await page.goto(page.url().replace('/?', '/two?'));
    expect(await page.evaluate(() => Object.keys(sessionStorage))).toContain('usher:unsent');
    harness.isUp = true;
    harness.received.length = 0;
    await page.goto(page.url().replace('/two?', '/three?'));
    await until(() => harness.interactions(tour.id)).toMatchObject([{ state: 'completed' }]);
    await until(() => sentTo('/events')).toMatchObject([{ name: 'Did', properties: { a: 1 } }]);
    expect(await page.evaluate(() => Object.keys(sessionStorage))).not.toContain('usher:unsent');
    await page.reload();
    await until(() => sentTo('/visits').length).toBe(2);
    expect(sentTo('/events')).toHaveLength(1);
  });

  it('receives what a page left, also if the next page closes immediately', async () => {
    const tour = await harness.createTour([{ title: 'Hello' }]);
    // This runs in the task that evaluates the script, before the timers of the script.
    const goes =
      "if(location.pathname==='/three')usher.on('load',()=>dispatchEvent(new PageTransitionEvent('pagehide')));";
    const page = await harness.open({ calls: `${goes}usher.identify('${uid}')`, clock: true });
    await dialog(page).waitFor();
    await until(() => harness.interactions(tour.id)).toMatchObject([{ state: 'started' }]);
    harness.isUp = false;
    await Promise.all([page.waitForEvent('requestfailed'), done(page)]);
    await page.goto(page.url().replace('/?', '/two?'));
    harness.isUp = true;
    harness.received.length = 0;
    await page.clock.pauseAt(Date.now() + minute);
    await page.goto(page.url().replace('/two?', '/three?'));
    await until(() => harness.interactions(tour.id)).toMatchObject([{ state: 'completed' }]);
    expect(sentTo('/visits')).toEqual([]);
  });

  it('receives an event again if the response was lost, and counts it once', async () => {
    const page = await harness.open({ clock: true, init: 'Math.random=()=>0.5' }, { uid });
    await until(() => sentTo('/visits').length).toBe(1);
    harness.dropsResponse = (path) => path.endsWith('/events');
    const failed = page.waitForEvent('requestfailed');
    await call(page, 'track', uid, { a: 1 });
    await call(page, 'track', uid, { a: 2 });
    await page.clock.fastForward(1000);
    await failed;
    expect(await countOf(uid)).toBe(1);
    harness.dropsResponse = undefined;
    const responses = Promise.all([1, 2].map((a) => page.waitForResponse((one) => isEvent(one.request(), a))));
    await page.clock.fastForward(minute);
    await responses;
    expect(sentTo('/events').length).toBeGreaterThan(2);
    expect(await countOf(uid)).toBe(2);
  });

  it('receives an event from the next page if the response was lost, and counts it once', async () => {
    const page = await harness.open({ clock: true }, { uid });
    await until(() => sentTo('/visits').length).toBe(1);
    harness.dropsResponse = (path) => path.endsWith('/events');
    const failed = page.waitForEvent('requestfailed');
    await call(page, 'track', uid, { a: 1 });
    await page.clock.fastForward(1000);
    await failed;
    expect(await countOf(uid)).toBe(1);
    harness.dropsResponse = undefined;
    harness.received.length = 0;
    const response = page.waitForResponse((one) => isEvent(one.request(), 1));
    await page.goto(page.url().replace('/?', '/two?'));
    await page.clock.fastForward(1000);
    await response;
    expect(sentTo('/events')).toMatchObject([{ properties: { a: 1 } }]);
    expect(await countOf(uid)).toBe(1);
  });

  it('receives an event in flight again when the page closes, and counts it once', async () => {
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    harness.beforeRequest = (path) => (path.endsWith('/events') && sentTo('/events').length === 1 ? held : undefined);
    let responses = 0;
    harness.dropsResponse = (path) => {
      if (path.endsWith('/events')) responses++;
      return false;
    };
    const page = await harness.open({}, { uid });
    await until(() => sentTo('/visits').length).toBe(1);
    await call(page, 'track', uid);
    await until(() => sentTo('/events').length).toBe(1);
    await page.goto('about:blank');
    await until(() => responses).toBe(1);
    release();
    await until(() => responses).toBe(2);
    expect(new Set(sentTo('/events').map(({ idempotency_key }) => idempotency_key)).size).toBe(1);
    expect(await countOf(uid)).toBe(1);
  });

  it('receives another visit', async () => {
    await harness.createTour([{ title: 'Hello' }]);
    harness.fakeResponse = () => ({ status: 500, body: '{}' });
    const page = await harness.open({ clock: true }, { uid });
    await until(() => sentTo('/visits').length).toBe(1);
    harness.fakeResponse = undefined;
    await page.clock.fastForward(minute);
    await dialog(page).waitFor();
  });

  it('receives a visit immediately when the browser is online again', async () => {
    await harness.createTour([{ title: 'Hello' }]);
    harness.fakeResponse = () => ({ status: 503, body: '' });
    const page = await harness.open({ clock: true }, { uid });
    await until(() => sentTo('/visits').length).toBeGreaterThan(0);
    await page.clock.pauseAt(Date.now() + minute);
    harness.fakeResponse = undefined;
    await page.context().setOffline(true);
    await page.context().setOffline(false);
    await page.clock.runFor(1000);
    await dialog(page).waitFor();
  });

  it.each([
    ['an error', { status: 500, body: '<html>' }],
    ['a rejection', { status: 403, body: '{"messages":["No"]}' }],
    ['no JSON', { status: 200, body: '<html>' }],
    ['other JSON', { status: 200, body: '{"visit":null}' }],
    ['null', { status: 200, body: 'null' }],
    [
      'a list of nothing',
      { status: 200, body: '{"profile":{},"visit":{"token":"t"},"experiences":[null],"deliveries":[{}]}' },
    ],
    ['nothing', 'never'],
  ] as const)('does not break the page when it responds with %s', async (_, ill) => {
    harness.fakeResponse = () => ill;
    const page = await harness.open({ body: `<button onclick="this.textContent='B'">A</button>` }, { uid });
    await until(() => sentTo('/visits').length).toBeGreaterThan(0);
    for (const name of ['track', 'show']) await call(page, name, '5fb70dcbc39330000325a818');
    await call(page, 'set', { a: 1 });
    await page.getByRole('button', { name: 'A' }).click();
    await page.getByRole('button', { name: 'B' }).waitFor();
    await call(page, 'clear');
  });

  it('does not receive rejected reports again', async () => {
    const tour = await harness.createTour([{ title: 'Hello' }]);
    harness.fakeResponse = (path) => (path.endsWith('/interactions') ? { status: 404, body: '{}' } : undefined);
    const page = await harness.open({ clock: true }, { uid });
    await dialog(page).waitFor();
    await until(() => sentTo('/interactions').length).toBe(1);
    harness.fakeResponse = undefined;
    await page.clock.fastForward(10 * minute);
    await done(page);
    await until(() => sentTo('/interactions')).toMatchObject([
      { items: [{ state: 'started' }] },
      { items: [{ state: 'completed' }] },
    ]);
    await until(() => harness.interactions(tour.id)).toHaveLength(1);
  });

  it('receives another request for a missing script file after the next visit', async () => {
    await harness.createTour([{ title: 'Hello' }]);
    const page = await harness.open({ init: '' }, {});
    await page.route(/renderer-/, (route) => route.abort());
    const failed = page.waitForEvent('requestfailed');
    await call(page, 'identify', uid);
    await failed;
    await page.unroute(/renderer-/);
    await call(page, 'set', { a: 1 });
    await dialog(page).waitFor();
  });
});

describe('a page that closes', () => {
  it('sends the last reports by beacon', async () => {
    const tour = await harness.createTour([{ title: 'Hello' }]);
    const page = await harness.open({}, { uid });
    await dialog(page).waitFor();
    await page.evaluate(() => {
      const buttons = document.querySelector('usher-layer')?.shadowRoot?.querySelectorAll('button') ?? [];
      [...buttons].find((one) => one.textContent === 'Done')?.click();
      location.href = 'about:blank';
    });
    await until(() => harness.interactions(tour.id)).toMatchObject([{ state: 'completed' }]);
    // A request by `fetch` has the mode `cors`.
    expect(harness.received.at(-1)).toMatchObject({ path: '/v3/observe/interactions', mode: 'no-cors' });
  });

  it('sends a visit and continues when it comes back from the back-forward cache', async () => {
    const tour = await harness.createTour([{ title: 'One' }, { title: 'Two' }]);
    const page = await harness.open({}, { uid });
    await dialog(page, 'One').waitFor();
    const go = (type: string) =>
      page.evaluate((type) => void dispatchEvent(new PageTransitionEvent(type, { persisted: true })), type);
    await go('pagehide');
    await until(() => harness.interactions(tour.id)).toMatchObject([{ state: 'started' }]);
    const visited = page.waitForResponse(/visits$/);
    await go('pageshow');
    await visited;
    await page.getByRole('button', { name: 'Next' }).click();
    await done(page);
    await until(() => harness.interactions(tour.id)).toMatchObject([{ state: 'completed' }]);
  });

  it('sends what it could not send when it comes back from the back-forward cache', async () => {
    const tour = await harness.createTour([{ title: 'Hello' }]);
    const page = await harness.open({ clock: true }, { uid });
    await dialog(page).waitFor();
    await until(() => harness.interactions(tour.id)).toMatchObject([{ state: 'started' }]);
    await page.context().setOffline(true);
    await page.evaluate(() => {
      const buttons = document.querySelector('usher-layer')?.shadowRoot?.querySelectorAll('button') ?? [];
      [...buttons].find((one) => one.textContent === 'Done')?.click();
      dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
    });
    await page.context().setOffline(false);
    await page.evaluate(() => void dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
    await until(() => harness.interactions(tour.id)).toMatchObject([{ state: 'completed' }]);
  });
});

describe('storage', () => {
  const two = [{ title: 'One' }, { title: 'Two' }];
  const kept = (page: Page) =>
    page.evaluate(async () => [
      ...[Object.keys(sessionStorage), Object.keys(localStorage), document.cookie],
      ...[(await indexedDB.databases()).length, (await caches.keys()).length],
    ]);

  /** Shows the second step, and waits until the server has received its report. */
  async function seeSecond(page: Page, { steps }: { steps: { id: string }[] }): Promise<void> {
    const reported = page.waitForResponse(
      (response) =>
        !!response
          .request()
          .postData()
          ?.includes(steps[1]?.id ?? ''),
    );
    await page.getByRole('button', { name: 'Next' }).click();
    await dialog(page, 'Two').waitFor();
    await reported;
  }

  it('works without storage if it is denied', async () => {
    const tour = await harness.createTour(two);
    const denied = (of: string, name: string) =>
      `Object.defineProperty(${of},'${name}',{get(){throw new DOMException('denied','SecurityError')}});`;
    const init = `${denied('window', 'sessionStorage')}${denied('window', 'localStorage')}${denied('Document.prototype', 'cookie')}${denied('window', 'indexedDB')}`;
    const page = await harness.open({ init }, { uid });
    await seeSecond(page, tour);
    await page.reload();
    await dialog(page, 'Two').waitFor();
    await done(page);
    await until(() => harness.interactions(tour.id)).toMatchObject([{ state: 'completed' }]);
  });

  it('uses no storage if the page disables it', async () => {
    const tour = await harness.createTour(two);
    const calls = `usher.init({storage:'none'});usher.identify('${uid}')`;
    const page = await harness.open({ calls, clock: true }, { hash: `#usher=${tour.id}` });
    await seeSecond(page, tour);
    expect(await kept(page)).toEqual([[], [], '', 0, 0]);
    harness.isUp = false;
    await Promise.all([page.waitForEvent('requestfailed'), done(page)]);
    await page.goto(page.url().replace('/?', '/two?'));
    expect(await kept(page)).toEqual([[], [], '', 0, 0]);
  });

  it('stores only what is needed, and only in the session storage', async () => {
    await harness.createTour(two);
    const page = await harness.open({}, { uid });
    await page.getByRole('button', { name: 'Next' }).click();
    await done(page);
    expect((await kept(page)).slice(1)).toEqual([[], '', 0, 0]);
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  });
});

describe('a page with a strict policy', () => {
  it('causes no violation and no new global variable with all kinds of Experiences', async () => {
    await harness.api.patch('/v3/edit/account', { allow_scripts: true });
    const code = { additional_actions: ['code'], action_script: 'window.ran = (window.ran ?? 0) + 1' };
    const requested = await harness.createTour([{ title: 'Asked', body: 'By {{delivery "who"}}' }], {
      style: 'manual',
    });
    const survey = await harness.create('survey', {
      style: 'manual',
      steps: [
        { title: 'NPS', preset: 'survey_nps' },
        { title: 'Which', preset: 'survey_dropdown', dropdown_items: ['A', 'B'], other_text: 'Else' },
        { title: 'Why', preset: 'survey_input' },
        { title: 'Thanks', preset: 'thank_you' },
      ],
    });
    await harness.create('launcher', {
      title: 'Help',
      list_type: 'checklist',
      items: [{ kind: 'tour', title: 'Go', campaign_id: requested.id }],
    });
    const inline = { elements: [{ selector: '#slot' }], position_type: 'inline' };
    await harness.create('embed', { style: 'card', steps: [{ title: 'Card', body: '*Hi*', ...inline }] });
    await harness.create('tooltip', {
      steps: [{ title: 'Tip', elements: [{ selector: '#t' }], position_type: 'inline' }],
    });
    await harness.createTour([
      {
        title: 'One',
        body: '**Bold** `code`\n\n- a\n- b',
        backdrop: true,
        buttons: [{ text: 'Run', tour_action: 'next', ...code }],
      },
      { title: 'Two', elements: [{ selector: '#t' }], position_type: 'snap_to_element', backdrop: true },
      { title: 'Three', screen_position: 'top', quantifier_urls: [{ url: '^http', match_type: 'regex' }] },
    ]);
    const byCode = { secondary_trigger: 'custom_trigger', custom_trigger: 'return window.ran' };
    const agreed = await harness.createTour([{ title: 'Agreed', ...byCode, quantifier_urls: [{ url: '*' }] }], {
      style: 'manual',
    });
    const policy = [
      ...["default-src 'none'", "script-src 'nonce-abc'", `connect-src ${harness.proxyUrl}`, "base-uri 'none'"],
      ...["form-action 'none'", "require-trusted-types-for 'script'", 'trusted-types usher usher-code'],
    ].join('; ');
    const page = await harness.open({
      nonce: 'abc',
      headers: { 'Content-Security-Policy': policy },
      calls: `window.broken=[];window.globals=Object.getOwnPropertyNames(window);addEventListener('securitypolicyviolation',e=>broken.push(e.violatedDirective+' '+e.blockedURI+' '+e.sample));usher.identify('${uid}')`,
      body: '<p id=t>T</p><div id=slot></div>',
    });
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await press('Run');
    await dialog(page, 'Two').waitFor();
    await press('Next');
    await dialog(page, 'Three').waitFor();
    expect(await dialog(page, 'Three').evaluate((box) => getComputedStyle(box).position)).toBe('fixed');
    await press('Done');
    await page.getByRole('region', { name: 'Card' }).waitFor();
    await page.getByRole('button', { name: 'More: Tip' }).click();
    await page.locator('.tip').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Help' }).click();
    await press('Go');
    await dialog(page, 'Asked').waitFor();
    await press('Done');
    await call(page, 'show', requested.id, { options: { who: 'Ann' } });
    await page.getByText('By Ann').waitFor();
    await call(page, 'show', agreed.id, { skip_triggers: false });
    await dialog(page, 'Agreed').waitFor();
    await call(page, 'show', survey.id);
    await page.getByRole('radio', { name: '7', exact: true }).click();
    await page.getByRole('combobox').selectOption('Else');
    await page.getByRole('textbox', { name: 'Else' }).fill('C');
    await press('Send');
    await page.getByRole('textbox', { name: 'Why' }).fill('So');
    await press('Send');
    await dialog(page, 'Thanks').waitFor();
    const found = await page.evaluate(() => {
      const { broken, ran, globals } = window as never as { broken: string[]; ran: number; globals: string[] };
      const added = Object.getOwnPropertyNames(window).filter((name) => !globals.includes(name));
      return { broken, ran, added };
    });
    expect(found).toEqual({ broken: [], ran: 1, added: ['globals', 'ran'] });
    await harness.api.patch('/v3/edit/account', { allow_scripts: false });
  });
});
