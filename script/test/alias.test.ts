import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Api, startApi } from '../../server/test/api.ts';
import { dialog } from './browser.ts';
import { closeContexts, sharedBrowser } from './shared-browser.ts';

/* Pages with the snippet of a made-up service, `guide`. Only its address in the page is changed. */

const names = 'identify alias track set show clear on off custom help';
/** Each call adds its arguments to a list of its own. */
const snippet = `(function(w,d){var g=w.guide=w.guide||{};${JSON.stringify(names)}.split(' ').forEach(function(n){g[n+'_a']=g[n+'_a']||[];
g[n]=function(){g[n+'_a'].push(arguments)}});})(window,document);`;

let api: Api;
let pages: Server;
let pagesUrl = '';
let context: BrowserContext;
let html = new Map<string, { text: string; policy?: string }>();
let count = 0;
let uid = '';
const published: [kind: string, id: string][] = [];

beforeAll(async () => {
  api = await startApi({
    inTest: false,
    env: { USHER_SCRIPT_ALIAS: 'guide:/guide/:token.js, helper:/h/:token/helper.min.js' },
  });
  pages = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://page');
    const { text = '', policy } = html.get(url.searchParams.get('page') ?? '') ?? {};
    response.writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      ...(policy && { 'Content-Security-Policy': policy }),
    });
    response.end(text);
  });
  await new Promise<void>((done) => pages.listen(0, '127.0.0.1', done));
  pagesUrl = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  context = await (await sharedBrowser()).newContext({ reducedMotion: 'reduce' });
});
afterAll(async () => {
  await closeContexts();
  pages.close();
  await api.stop();
});
beforeEach(async () => {
  for (const [kind, id] of published.splice(0)) await api.patch(`/v3/edit/${kind}s/${id}`, { published_at: null });
  html = new Map();
  uid = `user ${++count}`;
});

interface PageOptions {
  /** The code of the page that comes after the snippet. */
  calls?: string;
  /** Replaces the snippet. */
  start?: string;
  /** Runs before the page. */
  init?: string;
  body?: string;
  policy?: string;
  path?: string;
}

/** The address of the loader, as the snippet has it. */
const aliasUrl = () => `${api.url}/guide/${api.account.account_token}.js`;

type WatchedPage = Page & Record<'messages' | 'errors' | 'sent', string[]>;

async function open(options: PageOptions = {}): Promise<WatchedPage> {
  const { calls = '', start = snippet, init, body = '', policy, path = '/start' } = options;
  const load = `(function(){var s=document.createElement('script');s.async=true;s.nonce='abc';s.src=${JSON.stringify(aliasUrl())};document.head.appendChild(s)})();`;
  const name = `page-${++count}`;
  html.set(name, {
    text: `<!doctype html><html lang="en"><head><title>A page</title><script nonce="abc">${start}${calls};${load}</script></head><body>${body}</body></html>`,
    ...(policy && { policy }),
  });
  const page: WatchedPage = Object.assign(await context.newPage(), { messages: [], errors: [], sent: [] });
  onTestFinished(() => page.close());
  page.on('pageerror', (error) => page.errors.push(String(error)));
  page.on('console', (message) => page.messages.push(`${message.type()}: ${message.text()}`));
  page.on('response', (response) => page.sent.push(`${response.status()} ${new URL(response.url()).pathname}`));
  if (init) await page.addInitScript(init);
  await page.goto(`${pagesUrl}${path}?page=${name}`);
  onTestFinished(() => expect(page.errors).toEqual([]));
  return page;
}

async function publish(
  kind: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed',
  fields: object,
): Promise<{ id: string }> {
  const { status, body } = await api.post(`/v3/edit/${kind}s`, { name: kind, published_at: '$now', ...fields });
  expect([status, body.messages]).toEqual([201, undefined]);
  published.push([kind, body[kind].id]);
  return body[kind];
}
const publishTour = (steps: object[], fields: object = {}) => publish('tour', { steps, ...fields });
const profile = async () => (await api.get(`/v3/analyze/profile?uid=${encodeURIComponent(uid)}`)).body.profile;
const waitForCore = (page: Page) => page.waitForFunction('window.usher && window.usher.kind');
const identified = `guide.identify(${JSON.stringify('UID')});`;
const asUser = (calls = '') => identified.replace('UID', uid) + calls;
const on = (page: string) => ({ quantifier_urls: [{ url: page, match_type: 'simple' }] });

describe('a page with the snippet of another service', () => {
  it('runs unchanged: every call that it has queued is made, and no event is missed', async () => {
    await publishTour([{ title: 'Hello', buttons: [{ text: 'Done', tour_action: 'next' }] }]);
    const manual = await publishTour([{ title: 'By hand' }], { manual: true });
    const calls = `
      window.heard = [];
      guide.show(${JSON.stringify(manual.id)});
      guide.track('Opened', { from: 'menu' });
      guide.on('tour:event', function (name, options) { heard.push(['tour', name, options.id]) });
      guide.on('survey:event', function (name) { heard.push(['survey', name]) });
      guide.on('guide:event', function (name, options) { heard.push(['event', name, options.from]) });
      guide.on('load:guide', function () { heard.push(['load']) });
      guide.on('after:profile', function (profile) { heard.push(['profile', profile.uid]) });
      guide.on('identify:request', function (request) { heard.push(['request', request.email]) });
      guide.on('app:navigate', function () { heard.push(['navigate']) });
      window.removed = function () { heard.push(['removed']) };
      guide.on('load', removed);
      guide.off('load', removed);
      guide.set({ plan: 'pro' });
      guide.alias('an older ID');
      guide.custom('anything', 1);
      guide.help();
      guide.clear();
      guide.identify(${JSON.stringify(uid)}, { email: 'ann@page.test', role: 'admin' });`;
    const page = await open({ calls });
    // What the page shows itself takes the place of what starts automatically.
    await dialog(page, 'By hand').waitFor();
    await expect.poll(profile).toMatchObject({ uid, role: 'admin', plan: 'pro' });
    await expect
      .poll(() => page.evaluate('heard.map(String)'))
      .toEqual(
        expect.arrayContaining([
          'load',
          `profile,${uid}`,
          'event,Opened,menu',
          expect.stringMatching(/^tour,started,/),
        ]),
      );
    expect(await page.evaluate('heard.map(String)')).not.toContain('removed');
    expect(
      page.messages.filter((message) => /does nothing/.test(message)).map((text) => text.split(' does')[0]),
    ).toEqual(['alias', 'custom', 'help'].map((name) => `debug: Usher: guide.${name}`));
    expect(page.messages.filter((message) => !message.startsWith('debug'))).toEqual([]);
    await expect.poll(() => page.sent).toContain('200 /v3/observe/events');
  });

  it('offers the calls of that service after the script has loaded', async () => {
    const page = await open({ calls: asUser() });
    await page.waitForFunction('guide.data && guide.data.profile.get("uid")');
    const offered = ['identify', 'alias', 'track', 'set', 'show', 'clear', 'on', 'off', 'admin'];
    expect(await page.evaluate(`${JSON.stringify(offered)}.map((name) => typeof guide[name])`)).toEqual(
      offered.map(() => 'function'),
    );
    await page.evaluate('guide.set("plan", "gold"); guide.data.profile.set({ seats: 5 }); guide.admin()');
    await expect.poll(profile).toMatchObject({ plan: 'gold', seats: 5 });
    await expect
      .poll(() => page.evaluate('[guide.data.profile.get("plan"), guide.data.profile.toJSON().uid]'))
      .toEqual(['gold', uid]);
    expect(page.messages).toContain('debug: Usher: guide.admin does nothing: Usher has nothing for it');
    await page.evaluate('guide.clear()');
    expect(await page.evaluate('guide.data.profile.get()')).toBeUndefined();
    // Nobody is identified any more, so the ID names the user.
    uid = `${uid} alias`;
    await page.evaluate(`guide.alias(${JSON.stringify(uid)})`);
    await expect.poll(async () => (await profile())?.uid).toBe(uid);
  });

  it('makes calls through functions that the page has kept', async () => {
    const page = await open({ calls: 'window.kept = [guide.identify, guide.set];' });
    await waitForCore(page);
    await page.evaluate(`kept[0](${JSON.stringify(uid)}); kept[1]({ plan: 'kept' })`);
    await expect.poll(profile).toMatchObject({ uid, plan: 'kept' });
    expect(await page.evaluate('guide.identify_a.length')).toBe(0);
  });

  it('gives handlers the name and the options of what happens to their kind of Experience', async () => {
    const tour = await publishTour([{ title: 'One', buttons: [{ text: 'Go', tour_action: 'next' }] }]);
    const survey = await publish('survey', {
      manual: true,
      steps: [{ title: 'How?', preset: 'survey_nps' }],
    });
    const calls = asUser(`
      window.tours = []; window.surveys = [];
      guide.on('tour:event', (name, options) => tours.push([name, options]));
      guide.on('survey:event', (name, options) => surveys.push([name, options]));`);
    const page = await open({ calls });
    await page.getByRole('button', { name: 'Go' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    const heard = (await page.evaluate('tours')) as [string, Record<string, unknown>][];
    expect(heard.map(([name]) => name)).toEqual(['started', 'button.clicked', 'completed']);
    expect(heard.every(([, { id, kind }]) => id === tour.id && kind === 'tour')).toBe(true);
    expect(await page.evaluate('surveys')).toEqual([]);
    await page.evaluate(`guide.off('tour:event'); guide.show(${JSON.stringify(survey.id)})`);
    await expect
      .poll(() => page.evaluate('surveys.map(([name, { id }]) => name + id)'))
      .toContain(`started${survey.id}`);
    expect(await page.evaluate('tours.length')).toBe(heard.length);
  });

  it('has an event for each kind of Experience, with the names that the guide lists', async () => {
    const at = (selector: string) => ({ elements: [{ selector }], position_type: 'snap_to_element' });
    const steps = [
      { title: 'One', buttons: [{ text: 'Go', tour_action: 'next' }] },
      { title: 'Two', snooze_hours: 2 },
    ];
    const ids = {
      tour: (await publishTour(steps)).id,
      survey: (
        await publish('survey', {
          steps: [{ title: 'Fine?', preset: 'survey_two', buttons: [{ text: 'Yes' }, { text: 'No' }] }],
        })
      ).id,
      launcher: (await publish('launcher', { title: 'Help', items: [{ kind: 'url', title: 'Docs', url: '#docs' }] }))
        .id,
      tooltip: (await publish('tooltip', { steps: [{ body: 'Who left', ...at('#churn') }] })).id,
      embed: (
        await publish('embed', { style: 'card', steps: [{ title: 'News', ...at('#news'), position_type: 'inline' }] })
      ).id,
    };
    const kinds = ['tour', 'survey', 'launcher', 'tooltip', 'embed'];
    const calls = asUser(
      `window.heard = [];${kinds
        .map(
          (kind) => `guide.on('${kind}:event', (name, options) => heard.push('${kind} ' + name + ' ' + options.id));`,
        )
        .join('')}`,
    );
    const page = await open({ calls, body: '<p id="churn">Churn</p><div id="news"></div>' });
    const heard = (...events: string[]) =>
      expect.poll(() => page.evaluate('heard')).toEqual(expect.arrayContaining(events));
    await heard(`embed displayed ${ids.embed}`, `tooltip displayed ${ids.tooltip}`);
    await page.hover('#churn');
    await heard(`tooltip started ${ids.tooltip}`);
    await page.mouse.move(5, 500);
    await page.getByRole('button', { name: 'Help' }).click();
    await heard(`launcher started ${ids.launcher}`);
    await page.getByRole('link', { name: 'Docs' }).click();
    await heard(`launcher button.clicked ${ids.launcher}`);
    await page.keyboard.press('Escape');

    const show = (id: string) => page.evaluate(`void guide.show(${JSON.stringify(id)})`);
    await show(ids.survey);
    await dialog(page, 'Fine?').getByRole('button', { name: 'Yes' }).click();
    await heard(...['started', 'response', 'completed'].map((name) => `survey ${name} ${ids.survey}`));
    await show(ids.tour);
    await dialog(page, 'One').getByRole('button', { name: 'Go' }).click();
    await heard(...['started', 'button.clicked', 'step'].map((name) => `tour ${name} ${ids.tour}`));
    await page.getByRole('button', { name: 'Remind me later' }).click();
    await heard(`tour snoozed ${ids.tour}`);
    await show(ids.tour);
    await dialog(page, 'One').waitFor();
    await page.keyboard.press('Escape');
    await heard(`tour exited ${ids.tour}`);
  });
});

describe('navigation', () => {
  const button = (action_url: string) => ({ text: 'Go', additional_actions: ['cta_url'], action_url });
  const handled = `window.asked = []; guide.on('app:navigate', function (name, opts) { asked.push(opts.to); history.pushState(null, '', opts.to) });`;

  it('is left to the handler of the page', async () => {
    await publishTour([{ title: 'Hello', buttons: [button('/there?a=1#b')] }]);
    const page = await open({ calls: asUser(`window.isSame = true;${handled}`) });
    await page.getByRole('button', { name: 'Go' }).click();
    await expect
      .poll(() => page.evaluate('[asked, location.pathname, isSame]'))
      .toEqual([['/there?a=1#b'], '/there', true]);
  });

  it('also reaches a handler that reads the first value, and only the last one that was added', async () => {
    await publishTour([{ title: 'Hello', buttons: [button('/there')] }]);
    const page = await open({
      calls: asUser(`${handled}guide.on('app:navigate', (opts) => { window.to = opts.to });`),
    });
    await page.getByRole('button', { name: 'Go' }).click();
    await expect.poll(() => page.evaluate('[window.to, asked]')).toEqual(['/there', []]);
  });

  it.each([
    ['there is no handler', ''],
    ['the handler was removed', `${handled}guide.off('app:navigate');`],
    ['the handler fails', `guide.on('app:navigate', function () { throw new Error('no') });`],
  ])('happens in the page when %s', async (_, calls) => {
    await publishTour([{ title: 'Hello', buttons: [button('/there')] }]);
    const page = await open({ calls: asUser(calls) });
    await page.getByRole('button', { name: 'Go' }).click();
    await page.waitForURL('**/there');
  });

  it('to another origin happens in the page, because no router knows it', async () => {
    const elsewhere = pagesUrl.replace('127.0.0.1', 'localhost');
    await publishTour([{ title: 'Hello', buttons: [button(`${elsewhere}/there`)] }]);
    const page = await open({ calls: asUser(handled) });
    await page.getByRole('button', { name: 'Go' }).click();
    await page.waitForURL(`${elsewhere}/there`);
  });
});

describe('show', () => {
  const show = (page: Page, id: string, options = '') =>
    page.evaluate(`guide.show(${JSON.stringify(id)}${options && `, ${options}`})`);

  it('shows a tour of this page, and says why another one does not show', async () => {
    const here = await publishTour([{ title: 'Here', ...on('/start') }], { manual: true });
    const page = await open({ calls: asUser() });
    await waitForCore(page);
    expect(await show(page, here.id)).toEqual({ shown: true });
    expect(await show(page, 'f'.repeat(24))).toEqual({ shown: false, reason: 'not_live' });
  });

  it('opens the page of a tour that belongs to another page, and shows it there', async () => {
    const there = await publishTour([{ title: 'There', ...on('/there*') }, { title: 'Two' }], { manual: true });
    const exact = await publishTour([{ title: 'Exactly there', ...on('/there') }], { manual: true });
    const page = await open({ calls: asUser() });
    await waitForCore(page);
    expect(await show(page, there.id)).toEqual({ shown: false, reason: 'other_page' });
    expect(await dialog(page).count()).toBe(0);
    // The page has an address of its own here, so that the test server finds its content.
    html.set('', [...html.values()][0] as { text: string });
    expect(await show(page, exact.id)).toEqual({ shown: false, reason: 'redirected' });
    await page.waitForURL('**/there');
    await dialog(page, 'Exactly there').waitFor();
  });

  it('lets the handler of the page open that page', async () => {
    const { id } = await publishTour([{ title: 'There', ...on('/there') }], { manual: true });
    const calls = asUser(`window.isSame = true;
      guide.on('app:navigate', function (name, opts) { history.pushState(null, '', opts.to) });`);
    const page = await open({ calls });
    await waitForCore(page);
    expect(await show(page, id)).toEqual({ shown: false, reason: 'redirected' });
    await dialog(page, 'There').waitFor();
    expect(await page.evaluate('[location.pathname, window.isSame]')).toEqual(['/there', true]);
  });

  it('shows it on this page when the page says so', async () => {
    const { id } = await publishTour([{ title: 'Anywhere', ...on('/there*') }], { manual: true });
    const page = await open({ calls: asUser() });
    await waitForCore(page);
    expect(await show(page, id, '{ skip_url_match: true }')).toEqual({ shown: true });
  });
});

describe('percent', () => {
  it('is there only where the account allows it', async () => {
    const read = async () => {
      const page = await open({ calls: asUser() });
      await page.waitForFunction('guide.data && guide.data.profile.get("id")');
      return page.evaluate('guide.data.profile.get("percent") ?? null');
    };
    expect(await read()).toBeNull();
    await api.patch('/v3/edit/account', { allow_percent: true });
    expect(await read()).toBe((await profile()).percent);
    await api.patch('/v3/edit/account', { allow_percent: false });
    expect(await read()).toBeNull();
  });
});

describe('an odd or hostile queue', () => {
  const fine = `window.isFine = function () { return document.title };`;
  it.each([
    ['no global', ''],
    ['an empty object', 'window.guide = {};'],
    ['null', 'window.guide = null;'],
    ['a text', 'window.guide = "mine";'],
    [
      'lists that are none',
      'window.guide = { identify_a: 5, track_a: { length: 3 }, set_a: null, show_a: "abc", on_a: function () {} };',
    ],
    [
      'entries that are none',
      'window.guide = { identify_a: [null, 1, "a", {}, [], [null], [{}], [[]]], on_a: [[], ["load"], ["load", 5], [{}, {}]], show_a: [[], [5], [{}]], set_a: [[], [1], ["a"]], track_a: [[{}], [1, 2]], off_a: [[], [5, 5]], alias_a: [[], [{}]] };',
    ],
    [
      'a list of great length',
      'window.guide = { show_a: [{ length: 4294967295 }], track_a: [Object.assign([], { length: 100000000 })] };',
    ],
    [
      'lists that throw',
      'window.guide = { get identify_a() { throw new Error("no") }, track_a: new Proxy([], { get() { throw new Error("no") } }), get data() { throw new Error("no") } };',
    ],
    [
      'entries that throw',
      'window.guide = { set_a: [new Proxy([], { get() { throw new Error("no") } })], on_a: [["tour:event", null], ["load", () => { throw new Error("no") }]] };',
    ],
    [
      'a getter that throws',
      'Object.defineProperty(window, "guide", { get() { throw new Error("no") }, configurable: true });',
    ],
    ['an object that cannot be replaced', 'Object.defineProperty(window, "guide", { value: Object.freeze({}) });'],
    ['a function', 'window.guide = function () {};'],
  ])('does no harm to the page: %s', async (_, start) => {
    await publishTour([{ title: 'Hello' }]);
    const page = await open({ start: fine + start });
    await waitForCore(page);
    // The public calls work, whatever the other global is.
    await page.evaluate(`usher.identify(${JSON.stringify(uid)})`);
    await dialog(page).waitFor();
    expect(await page.evaluate('isFine()')).toBe('A page');
    expect(page.messages.filter((message) => !message.startsWith('debug'))).toEqual([]);
  });

  it.each([
    ['frozen', 'Object.freeze(guide);'],
    ['frozen with its lists', 'Object.values(guide).forEach(Object.freeze);Object.freeze(guide);'],
    ['sealed', 'Object.seal(guide);'],
  ])('is drained when the global is %s', async (_, freeze) => {
    await publishTour([{ title: 'Hello' }]);
    const page = await open({ calls: `window.first = guide;${asUser('guide.set({ plan: "frozen" });')}${freeze}` });
    await dialog(page).waitFor();
    await expect.poll(profile).toMatchObject({ plan: 'frozen' });
    expect(await page.evaluate('[typeof guide.admin, guide.data.profile.get("uid")]')).toEqual(['function', uid]);
  });

  it('leaves an element of the page with that name alone', async () => {
    const start = `${fine}window.guide = document.createElement('div'); guide.set = 5;`;
    const page = await open({ start });
    await waitForCore(page);
    expect(await page.evaluate('[guide.tagName, guide.set, typeof guide.identify]')).toEqual(['DIV', 5, 'undefined']);
  });

  it('is drained once when the page loads the script twice', async () => {
    const page = await open({ calls: asUser(`window.heard = 0; guide.on('load', () => heard++);`) });
    await waitForCore(page);
    await page.addScriptTag({ url: aliasUrl() });
    await page.evaluate(`usher.set({ plan: 'twice' })`);
    await expect.poll(profile).toMatchObject({ plan: 'twice' });
    expect(await page.evaluate('heard')).toBe(1);
  });
});

describe('a strict policy', () => {
  it('with a nonce is kept', async () => {
    await publishTour([{ title: 'Hello', buttons: [{ text: 'Done', tour_action: 'next' }] }]);
    const policy = `default-src 'none'; script-src 'nonce-abc'; connect-src ${api.url}; base-uri 'none'; require-trusted-types-for 'script'; trusted-types usher page`;
    const init = `window.broken = []; addEventListener('securitypolicyviolation', (event) => broken.push(event.violatedDirective + ' ' + event.blockedURI));`;
    const start = `${snippet}var p=trustedTypes.createPolicy('page',{createScriptURL:function(u){return u}});window.trust=p;`;
    const page = await openWithPolicy(start, init, policy);
    await dialog(page).waitFor();
    expect(await page.evaluate('broken')).toEqual([]);
    expect(await page.evaluate('guide.data.profile.get("uid")')).toBe(uid);
  });

  /** The page trusts the address of the script itself, as its own snippet must under this policy. */
  async function openWithPolicy(start: string, init: string, policy: string): Promise<Page> {
    const name = `page-${++count}`;
    const load = `var s=document.createElement('script');s.async=true;s.nonce='abc';s.src=trust.createScriptURL(${JSON.stringify(aliasUrl())});document.head.appendChild(s);`;
    html.set(name, {
      text: `<!doctype html><html lang="en"><head><title>A page</title><script nonce="abc">${start}${asUser()}${load}</script></head><body></body></html>`,
      policy,
    });
    const page = await context.newPage();
    onTestFinished(() => page.close());
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.addInitScript(init);
    await page.goto(`${pagesUrl}/start?page=${name}`);
    onTestFinished(() => expect(errors).toEqual([]));
    return page;
  }
});

it('has several aliases, each with its own global', async () => {
  const name = `page-${++count}`;
  const src = `${api.url}/h/${api.account.account_token}/helper.min.js?v=1`;
  html.set(name, {
    text: `<!doctype html><html lang="en"><head><title>A page</title><script>window.helper={identify_a:[[${JSON.stringify(uid)}]]}</script><script async src="${src}"></script></head></html>`,
  });
  const page = await context.newPage();
  onTestFinished(() => page.close());
  await page.goto(`${pagesUrl}/start?page=${name}`);
  await page.waitForFunction('window.helper && helper.data && helper.data.profile.get("uid")');
  expect(await page.evaluate('[typeof window.guide, helper.data.profile.get("uid")]')).toEqual(['undefined', uid]);
});
