import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { findChromium } from '../../scripts/chromium.mjs';
import { type Api, startApi } from '../../server/test/api.ts';
import type { Config } from '../src/config.ts';
import { hostHash } from '../src/engine/host-hash.ts';

/** As it was when the tests began, whoever builds it anew meanwhile. */
const dist = new URL('../dist/', import.meta.url);
const files = new Map(
  readdirSync(dist)
    .filter((name) => /\.js(on)?$/.test(name))
    .map((name) => [name, readFileSync(new URL(name, dist), 'utf8')]),
);
const npm = readFileSync(new URL('npm/index.js', dist), 'utf8');
const manifest = JSON.parse(files.get('manifest.json') ?? '{}') as Record<string, { file: string; integrity: string }>;

/** A page of a customer: what it holds, and what it answers with. */
export interface Site {
  body?: string;
  head?: string;
  headers?: Record<string, string>;
  /** Of the script elements. */
  nonce?: string;
  /** Where the loader is, if not that of the door; null: without the snippet. */
  loader?: string | null;
  /** What the page does before the script is there. */
  calls?: string;
  hosts?: string[];
  labels?: Record<string, string>;
  /** Runs in the page before anything else. */
  init?: string;
  /** The time of the page is the test's: `page.clock`. */
  clock?: boolean;
}

/** What a server that is ill answers; `never` is not at all. */
type Ill = { status: number; body: string } | 'never';

interface Made {
  id: string;
  steps: { id: string; buttons: { id: string }[] }[];
  items: { id: string }[];
}

interface State {
  /** Whether the server can be reached. */
  isUp: boolean;
  /** What it answers to a path, where that is not its own answer. */
  ill?: ((path: string) => Ill | undefined) | undefined;
  /** Waited for before a request goes in. */
  hold?: ((path: string, body: string) => Promise<void> | undefined) | undefined;
  /** Whether what the server has answered is lost on the way. */
  loses?: ((path: string) => boolean) | undefined;
  /** What pages have asked of the server, as `POST /v3/…` or the part of a file; and what they sent. */
  asked: string[];
  sent: { path: string; body: Record<string, unknown>; mode: unknown }[];
  /** How far the clock of the server is ahead, in milliseconds. */
  ahead: number;
}

/** The real server behind a door that can be shut, pages on another origin, and a real browser. */
export interface World extends State {
  api: Api;
  browser: Browser;
  /** Where pages reach the server, and where they are. */
  door: string;
  pages: string;
  open(site?: Site, given?: { context?: BrowserContext; path?: string; uid?: string; hash?: string }): Promise<Page>;
  /** Makes an Experience and publishes it. */
  make(kind: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed', given: object): Promise<Made>;
  makeTour(steps: object[], given?: object): Promise<Made>;
  /** The user was here, so that there can be Deliveries to them. */
  greet(uid: string): Promise<void>;
  deliver(uid: string, model_id: string, given?: object): Promise<string>;
  /** When it was triggered. */
  triggeredAt(deliveryId: string): Promise<string | null>;
  interactions(id: string): Promise<Record<string, unknown>[]>;
  /** As before the first test; answers a new `uid`. */
  /** Makes what `openReady` waits for: a launcher comes after the tours. */
  makeReady(): Promise<unknown>;
  /** Opens a page on which everything that there is waits already. */
  openReady: World['open'];
  reset(): Promise<string>;
  stop(): Promise<void>;
}

const chromiumPath = findChromium();

export async function startWorld(): Promise<World> {
  const now = () => Date.now() + state.ahead;
  const state: State = { isUp: true, asked: [], sent: [], ahead: 0 };
  const api = await startApi({ inTest: false, env: { PORT: '0' }, now });
  const browser = await chromium.launch({
    ...(chromiumPath !== undefined && { executablePath: chromiumPath }),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
  const sites = new Map<string, Site>();

  const door = await listen(async (request, response) => {
    const path = request.url ?? '';
    if (path.startsWith('/script/')) {
      state.asked.push(path.replace(/^\/script\/(\w+)-.*/, '$1'));
      if (!state.isUp) return void request.socket.destroy();
      const code = files.get(path.slice('/script/'.length));
      response.writeHead(200, { 'Content-Type': 'text/javascript', 'Access-Control-Allow-Origin': '*' }).end(code);
      return;
    }
    const body = Buffer.concat(await request.toArray());
    state.asked.push(`${request.method} ${path}`);
    if (!state.isUp) return void request.socket.destroy();
    state.sent.push({ path, body: JSON.parse(body.toString() || '{}'), mode: request.headers['sec-fetch-mode'] });
    await state.hold?.(path, body.toString());
    const ill = state.ill?.(path);
    if (ill === 'never') return;
    if (ill) return void response.writeHead(ill.status, { 'Access-Control-Allow-Origin': '*' }).end(ill.body);
    const { host: _, ...headers } = request.headers;
    const answer = await fetch(api.url + path, {
      method: request.method ?? 'GET',
      headers: Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => [name, String(value)]),
      body,
    });
    const text = Buffer.from(await answer.arrayBuffer());
    if (state.loses?.(path)) return void request.socket.destroy();
    const out = Object.fromEntries([...answer.headers].filter(([name]) => !/encoding|length|connection/.test(name)));
    response.writeHead(answer.status, out).end(text);
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
  const loaderFor = ({ hosts, labels }: Site) => {
    const parts = Object.fromEntries(
      Object.entries(manifest).map(([name, { file, integrity }]) => [name, { path: `/script/${file}`, integrity }]),
    ) as Config['files'];
    const config: Config = { token: api.account.account_token, url: origin(door), files: parts };
    if (hosts) config.hosts = hosts.map(hostHash);
    if (labels) config.labels = labels;
    return `window.__usher=${JSON.stringify(config)};${files.get(manifest.loader?.file ?? '')}`;
  };

  let count = 0;
  const open: World['open'] = async (site = {}, { context, path = '/', uid, hash = '' } = {}) => {
    const name = `site ${++count}`;
    sites.set(name, site);
    const where = context ?? (await browser.newContext({ reducedMotion: 'reduce' }));
    if (!context) onTestFinished(() => where.close());
    const page = await where.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(`${error}`));
    onTestFinished(() => expect(errors).toEqual([]));
    if (site.clock) await page.clock.install();
    if (site.init) await page.addInitScript(site.init);
    await page.goto(`${origin(pages)}${path}?${new URLSearchParams({ site: name, ...(uid && { uid }) })}${hash}`);
    return page;
  };

  const made: [kind: string, id: string][] = [];
  const make: World['make'] = async (kind, given) => {
    const sent = { name: kind, published_at: '$now', ...given };
    const { status, body } = await api.post(`/v3/edit/${kind}s`, sent);
    expect([status, body.messages]).toEqual([201, undefined]);
    made.push([kind, body[kind].id]);
    return body[kind];
  };
  const query = (given: Record<string, string>) => ({ query: new URLSearchParams(given).toString() });
  return Object.assign(state, {
    ...{ api, browser, open, make, door: origin(door), pages: origin(pages) },
    makeTour: (steps: object[], given: object = {}) => make('tour', { steps, ...given }),
    greet: async (uid: string) => {
      const { account_token } = api.account;
      await api.post('/v3/observe/visits', { account_token, uid, href: 'http://127.0.0.1/' }, { as: null });
    },
    deliver: async (uid: string, model_id: string, given: object = {}) =>
      (await api.post('/v3/edit/deliveries', { model_kind: 'tour', model_id, uid, ...given })).body.delivery.id,
    triggeredAt: async (id: string) => (await api.get(`/v3/edit/deliveries/${id}`)).body.delivery.at,
    interactions: async (id: string) =>
      (await api.get('/v3/analyze/interactions', query({ id, 'expand[profile]': 'all' }))).body.interactions,
    makeReady: () =>
      make('launcher', {
        title: 'Ready',
        screen_position: 'bottom_left',
        items: [{ title: 'Docs', url: '/docs' }],
      }),
    openReady: (async (site, given) => {
      const page = await open(site, given);
      await page.getByRole('button', { name: 'Ready' }).waitFor();
      return page;
    }) as World['open'],
    reset: async () => {
      state.isUp = true;
      state.ahead = 0;
      state.ill = state.hold = state.loses = undefined;
      state.asked.length = state.sent.length = 0;
      for (const [kind, id] of made.splice(0)) await api.patch(`/v3/edit/${kind}s/${id}`, { published_at: null });
      return `user ${++count}`;
    },
    stop: async () => {
      await browser.close();
      for (const server of [door, pages]) {
        server.closeAllConnections();
        await new Promise((done) => server.close(done));
      }
      await api.stop();
    },
  });
}

/** What the page's own code does with it. */
export function call(page: Page, name: string, ...given: unknown[]): Promise<unknown> {
  return page.evaluate(
    ({ name, given }) => {
      const { usher } = window as unknown as { usher: Record<string, (...given: unknown[]) => void> };
      (usher[name] as (...given: unknown[]) => void)(...given);
    },
    { name, given },
  );
}

export function dialog(page: Page, name = 'Hello'): Locator {
  return page.getByRole('dialog', { name });
}

/** Until it is so: what happens on the other side of the network. */
export function until<T>(work: () => T) {
  return expect.poll(work, { timeout: 10_000 });
}

function htmlOf({ head = '', body = '', nonce, loader = '/loader.js' }: Site, calls: string, query: string): string {
  const attribute = nonce ? ` nonce="${nonce}"` : '';
  const snippet = `<script${attribute}>window.usher={q:[]};["identify","track","set","show","clear","on","off","init"].forEach(function(n){usher[n]=function(){usher.q.push([n,arguments])}});${calls}</script>
<script async${attribute} src="${loader}${query.replaceAll('&', '&amp;')}"></script>`;
  return `<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width"><title>A page</title>${head}${loader === null ? '' : snippet}</head><body>${body}</body></html>`;
}

async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<Server> {
  const server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}
