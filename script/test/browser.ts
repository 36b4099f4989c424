import { readdirSync, readFileSync } from 'node:fs';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished } from 'vitest';
import { type Api, startApi } from '../../server/test/api.ts';
import type { Config } from '../src/config.ts';
import { hostHash } from '../src/engine/host-hash.ts';
import { closeContexts, sharedBrowser } from './shared-browser.ts';

/** A copy of the built script from when the tests started, in case somebody builds it again meanwhile. */
const dist = new URL('../dist/', import.meta.url);
const files = new Map(
  readdirSync(dist)
    .filter((name) => /\.js(on)?$/.test(name))
    .map((name) => [name, readFileSync(new URL(name, dist), 'utf8')]),
);
const newSnippet = readFileSync(new URL('../src/snippet.js', import.meta.url), 'utf8');
/** The snippet of the first version, which pages may still have. */
const oldSnippet = `window.usher={q:[]};["identify","track","set","show","clear","on","off","init"].forEach(function(n){usher[n]=function(){usher.q.push([n,arguments])}});`;
const npm = readFileSync(new URL('npm/index.js', dist), 'utf8');
const manifest = JSON.parse(files.get('manifest.json') ?? '{}') as Record<string, { file: string; integrity: string }>;

/** A page of a customer: its content, and how it is served. */
export interface Site {
  body?: string;
  head?: string;
  headers?: Record<string, string>;
  /** The nonce of the script elements. */
  nonce?: string;
  /** The address of the loader, if it is not the one of the harness. With null, the page has no snippet. */
  loader?: string | null;
  /** Whether the page has the snippet of the first version. */
  oldSnippet?: boolean;
  /** The code of the page that calls the script before it has loaded. */
  calls?: string;
  hosts?: string[];
  labels?: Record<string, string>;
  /** Whether the account has users who have not signed in. */
  anonymous?: boolean;
  /** Code that runs in the page before anything else. */
  init?: string;
  /** Whether the test controls the time of the page with `page.clock`. */
  clock?: boolean;
}

interface OpenOptions {
  context?: BrowserContext;
  path?: string;
  uid?: string;
  hash?: string;
}

/** A response that replaces the one of the server; `never` means that there is none. */
type FakeResponse = { status: number; body: string } | 'never';

interface CreatedExperience {
  id: string;
  steps: { id: string; buttons: { id: string }[] }[];
  items: { id: string }[];
}

interface State {
  /** Whether pages can reach the server. */
  isUp: boolean;
  /** Returns a response that replaces the one of the server. */
  fakeResponse?: ((path: string) => FakeResponse | undefined) | undefined;
  /** The proxy waits for the returned promise before it passes a request on. */
  beforeRequest?: ((path: string, body: string) => Promise<void> | undefined) | undefined;
  /** Returns whether the response of the server is lost. */
  dropsResponse?: ((path: string) => boolean) | undefined;
  /** The requests of pages, as `POST /v3/…` or the name of a script file. */
  requests: string[];
  /** The bodies that pages have sent. */
  received: { path: string; body: Record<string, unknown>; mode: unknown }[];
  /** The address of the node for the next request, if there are several. */
  nextNode?: (() => string) | undefined;
  /** How many milliseconds the clock of the server is ahead. */
  clockOffsetMs: number;
}

/** The real server behind a proxy that can fail, pages on another origin, and a real browser. */
export interface Harness extends State {
  api: Api;
  browser: Browser;
  /** The origin where pages reach the server. */
  proxyUrl: string;
  /** The origin of the pages. */
  pagesUrl: string;
  open(site?: Site, options?: OpenOptions): Promise<Page>;
  /** Creates an Experience and publishes it. */
  create(kind: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed', fields: object): Promise<CreatedExperience>;
  createTour(steps: object[], fields?: object): Promise<CreatedExperience>;
  /** Sends a visit of the user, so that there can be Deliveries for the profile. */
  createProfile(uid: string): Promise<void>;
  createDelivery(uid: string, model_id: string, fields?: object): Promise<string>;
  triggeredAt(deliveryId: string): Promise<string | null>;
  interactions(id: string): Promise<Record<string, unknown>[]>;
  /** Creates the launcher that `openReady` waits for. It shows after the tours. */
  createReadyLauncher(): Promise<unknown>;
  /** Opens a page and waits until every Experience has started. */
  openReady: Harness['open'];
  /** Restores the state from before the first test, and creates a new `uid`. */
  reset(): Promise<void>;
}

/** The user of the test that runs. */
export let uid = '';

/** All files of a worker share one server and one browser, because starting both takes as long as some tests. */
const harness = {} as Harness;
let started: Promise<void> | undefined;
/** The Experiences of this test. */
let created: [kind: string, id: string][] = [];

/** Gives the tests of a file accounts of their own, and each test a new user. */
export function useHarness(): Harness {
  beforeAll(async () => {
    started ??= startHarness();
    await started;
    created = [];
    await harness.api.replaceAccounts();
  });
  beforeEach(() => harness.reset());
  afterAll(closeContexts);
  return harness;
}

async function startHarness(): Promise<void> {
  const now = () => Date.now() + state.clockOffsetMs;
  const state: State = Object.assign(harness, { isUp: true, requests: [], received: [], clockOffsetMs: 0 });
  const api = await startApi({ inTest: false, env: { PORT: '0' }, now });
  process.once('exit', () => void api.database.remove());
  const browser = await sharedBrowser();
  const sites = new Map<string, Site>();

  const proxy = await listen(async (request, response) => {
    const path = request.url ?? '';
    if (path.startsWith('/script/')) {
      state.requests.push(path.replace(/^\/script\/(\w+)-.*/, '$1'));
      if (!state.isUp) return void request.socket.destroy();
      const code = files.get(path.slice('/script/'.length));
      response.writeHead(200, { 'Content-Type': 'text/javascript', 'Access-Control-Allow-Origin': '*' }).end(code);
      return;
    }
    const body = Buffer.concat(await request.toArray());
    state.requests.push(`${request.method} ${path}`);
    if (!state.isUp) return void request.socket.destroy();
    state.received.push({ path, body: JSON.parse(body.toString() || '{}'), mode: request.headers['sec-fetch-mode'] });
    await state.beforeRequest?.(path, body.toString());
    const fake = state.fakeResponse?.(path);
    if (fake === 'never') return;
    if (fake) return void response.writeHead(fake.status, { 'Access-Control-Allow-Origin': '*' }).end(fake.body);
    const { host: _, ...headers } = request.headers;
    if (path.startsWith('/v3/observe/stream'))
      return passStream(`${state.nextNode?.() ?? api.url}${path}`, headers, response);
    const passed = await fetch((state.nextNode?.() ?? api.url) + path, {
      method: request.method ?? 'GET',
      headers: Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => [name, String(value)]),
      ...(body.length > 0 && { body }),
    });
    const content = Buffer.from(await passed.arrayBuffer());
    if (state.dropsResponse?.(path)) return void request.socket.destroy();
    const kept = [...passed.headers].filter(([name]) => !/encoding|length|connection/.test(name));
    response.writeHead(passed.status, Object.fromEntries(kept)).end(content);
  });
  const pages = await listen((request, response) => {
    const url = new URL(request.url ?? '', 'http://page');
    const site = sites.get(url.searchParams.get('site') ?? '') ?? {};
    const code = url.pathname === '/loader.js' ? loaderFor(site) : url.pathname === '/npm.js' ? npm : undefined;
    if (code) return void response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(code);
    const uid = url.searchParams.get('uid');
    const calls = site.calls ?? (uid ? `usher.identify(${JSON.stringify(uid)})` : '');
    response
      .writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', ...site.headers })
      .end(htmlOf(site, calls, url.search));
  });
  const origin = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const loaderFor = ({ hosts, labels, anonymous }: Site) => {
    const modules = Object.fromEntries(
      Object.entries(manifest).map(([name, { file, integrity }]) => [name, { path: `/script/${file}`, integrity }]),
    ) as Config['files'];
    const config: Config = { token: api.account.account_token, url: origin(proxy), files: modules };
    if (hosts) config.hosts = hosts.map(hostHash);
    if (labels) config.labels = labels;
    if (anonymous) config.anonymous = true;
    return `window.__usher=${JSON.stringify(config)};${files.get(manifest.loader?.file ?? '')}`;
  };

  let count = 0;
  const newContext = () => browser.newContext({ reducedMotion: 'reduce' });
  let shared: BrowserContext | undefined;
  /**
   * The context for pages that need none of their own, because the script stores nothing beyond the tab. An empty page
   * of the context stays open, so that other pages find a running process: opening a page then takes a third less time.
   * The full browser does not paint a page behind another one, so a second page of a test gets a context of its own.
   */
  const findContext = async () => {
    if (shared) return shared.pages().length === 1 ? shared : newContext();
    const context = await newContext();
    context.once('close', () => {
      shared = undefined;
    });
    sites.set('empty', { loader: null });
    await (await context.newPage()).goto(`${origin(pages)}/?site=empty`);
    shared = context;
    return context;
  };
  const open: Harness['open'] = async (site = {}, { context, path = '/', uid, hash = '' } = {}) => {
    const name = `site ${++count}`;
    sites.set(name, site);
    const openContext = context ?? (await (site.clock ? newContext() : findContext()));
    const page = await openContext.newPage();
    if (!context) onTestFinished(() => (openContext === shared ? closeSilently(page) : openContext.close()));
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(`${error}`));
    onTestFinished(() => expect(errors).toEqual([]));
    if (site.clock) await page.clock.install();
    if (site.init) await page.addInitScript(site.init);
    await page.goto(`${origin(pages)}${path}?${new URLSearchParams({ site: name, ...(uid && { uid }) })}${hash}`);
    return page;
  };

  const create: Harness['create'] = async (kind, fields) => {
    const input = { name: kind, published_at: '$now', ...fields };
    const { status, body } = await api.post(`/v3/edit/${kind}s`, input);
    expect([status, body.messages]).toEqual([201, undefined]);
    created.push([kind, body[kind].id]);
    return body[kind];
  };
  const query = (params: Record<string, string>) => ({ query: new URLSearchParams(params).toString() });
  Object.assign(state, {
    ...{ api, browser, open, create, proxyUrl: origin(proxy), pagesUrl: origin(pages) },
    createTour: (steps: object[], fields: object = {}) => create('tour', { steps, ...fields }),
    createProfile: async (uid: string) => {
      const { account_token } = api.account;
      await api.post('/v3/observe/visits', { account_token, uid, href: 'http://127.0.0.1/' }, { as: null });
    },
    createDelivery: async (uid: string, model_id: string, fields: object = {}) =>
      (await api.post('/v3/edit/deliveries', { model_kind: 'tour', model_id, uid, ...fields })).body.delivery.id,
    triggeredAt: async (id: string) => (await api.get(`/v3/edit/deliveries/${id}`)).body.delivery.at,
    interactions: async (id: string) =>
      (await api.get('/v3/analyze/interactions', query({ id, 'expand[profile]': 'all' }))).body.interactions,
    createReadyLauncher: () =>
      create('launcher', {
        title: 'Ready',
        screen_position: 'bottom_left',
        items,
      }),
    openReady: (async (site, options) => {
      const page = await open(site, options);
      await page.getByRole('button', { name: 'Ready' }).waitFor();
      return page;
    }) as Harness['open'],
    reset: async () => {
      state.isUp = true;
      state.clockOffsetMs = 0;
      state.fakeResponse = state.beforeRequest = state.dropsResponse = state.nextNode = undefined;
      state.requests.length = state.received.length = 0;
      for (const [kind, id] of created.splice(0)) await api.patch(`/v3/edit/${kind}s/${id}`, { published_at: null });
      uid = `user ${++count}`;
    },
  });
}

/** Passes on each event as it comes, and the end on either side. */
function passStream(url: string, headers: IncomingMessage['headers'], response: ServerResponse): void {
  const outgoing = get(url, { headers, agent: false }, (passed) => {
    response.writeHead(passed.statusCode ?? 0, passed.headers);
    response.flushHeaders();
    passed.on('error', () => response.destroy()).pipe(response);
  });
  outgoing.on('error', () => response.destroy());
  response.once('close', () => outgoing.destroy());
}

/** Calls a function of `usher` as code of the page does. */
export function call(page: Page, name: string, ...args: unknown[]): Promise<unknown> {
  return page.evaluate(
    ({ name, args }) => {
      const { usher } = window as unknown as { usher: Record<string, (...args: unknown[]) => void> };
      (usher[name] as (...args: unknown[]) => void)(...args);
    },
    { name, args },
  );
}

export function dialog(page: Page, name = 'Hello'): Locator {
  return page.getByRole('dialog', { name });
}

/** Shows a manual Experience as code of the page does, and waits for the response. */
export const show = (page: Page, id: string) => Promise.all([page.waitForResponse(/shows$/), call(page, 'show', id)]);

/** A step at an element. */
export const at = (selector: string, fields: object = {}) => ({
  ...{ title: 'Hello', position_type: 'snap_to_element', elements: [{ selector }] },
  ...fields,
});

/** The items of a launcher. */
export const items = [{ title: 'Docs', url: '/docs' }];

export const rectOf = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => element.getBoundingClientRect().toJSON() as DOMRect);

/** Code for `init`: creating an element of this name fails the first `times` times. */
export const breakElements = (name: string, times: number) =>
  `window.errors=0;const real=Document.prototype.createElement;Document.prototype.createElement=function(name){if(name==='${name}'&&window.errors++<${times})throw new Error('broken');return real.call(this,name)}`;

/** Polls until the assertion holds, for something that happens on the other side of the network. */
export function until<T>(work: () => T) {
  return expect.poll(work, { timeout: 10_000 });
}

/** Closes a page and drops the requests that it sends at its end, which would reach the next test. */
async function closeSilently(page: Page): Promise<void> {
  const silence = () => {
    window.fetch = () => new Promise(() => {});
    navigator.sendBeacon = () => true;
  };
  await page.evaluate(silence).catch(() => {});
  await page.close();
}

function htmlOf(site: Site, calls: string, query: string): string {
  const { head = '', body = '', nonce, loader = '/loader.js' } = site;
  const attribute = nonce ? ` nonce="${nonce}"` : '';
  const snippet = `<script${attribute}>${site.oldSnippet ? oldSnippet : newSnippet}${calls}</script>
<script async${attribute} src="${loader}${query.replaceAll('&', '&amp;')}"></script>`;
  return `<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width"><title>A page</title>${head}${loader === null ? '' : snippet}</head><body>${body}</body></html>`;
}

async function listen(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<Server> {
  const server = createServer(handle);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}
