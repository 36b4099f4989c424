import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { type Api, startApi } from '../../server/test/api.ts';
import type { Config } from '../src/config.ts';
import { hostHash } from '../src/engine/host-hash.ts';

const dist = new URL('../dist/', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('manifest.json', dist), 'utf8'));

/** A page of a customer: what it holds, and what it answers with. */
export interface Site {
  body?: string;
  head?: string;
  headers?: Record<string, string>;
  /** Of the script elements. */
  nonce?: string;
  /** What the page does before the script is there. */
  calls?: string;
  hosts?: string[];
}

/** The real server behind a door that can be shut, pages on another origin, and a real browser. */
export interface World {
  api: Api;
  browser: Browser;
  /** Whether the server can be reached. */
  isUp: boolean;
  /** What pages have asked of the server, as `POST /v3/…` or the part of a file. */
  asked: string[];
  open(site?: Site, given?: { context?: BrowserContext; path?: string; uid?: string }): Promise<Page>;
  stop(): Promise<void>;
}

export async function startWorld(): Promise<World> {
  const api = await startApi({ inTest: false });
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
  const sites = new Map<string, Site>();
  const world = { isUp: true, asked: [] as string[] };

  const door = await listen(async (request, response) => {
    if (!world.isUp) return void request.socket.destroy();
    const path = request.url ?? '';
    if (path.startsWith('/script/')) {
      world.asked.push(path.replace(/^\/script\/(\w+)-.*/, '$1'));
      const code = readFileSync(new URL(path.slice('/script/'.length), dist));
      response.writeHead(200, { 'Content-Type': 'text/javascript', 'Access-Control-Allow-Origin': '*' }).end(code);
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    world.asked.push(`${request.method} ${path}`);
    const headers = { ...request.headers, connection: 'close' } as Record<string, string>;
    delete headers.host;
    const answer = await fetch(api.url + path, {
      method: request.method ?? 'GET',
      headers,
      ...(body.length > 0 && { body }),
    });
    const text = Buffer.from(await answer.arrayBuffer());
    const out = Object.fromEntries([...answer.headers].filter(([name]) => !/encoding|length|connection/.test(name)));
    response.writeHead(answer.status, out).end(text);
  });
  const pages = await listen((request, response) => {
    const url = new URL(request.url ?? '', 'http://page');
    const site = sites.get(url.searchParams.get('site') ?? '') ?? {};
    if (url.pathname === '/loader.js') {
      response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(loaderFor(site));
      return;
    }
    const uid = url.searchParams.get('uid');
    const calls = site.calls ?? (uid ? `usher.identify(${JSON.stringify(uid)})` : '');
    response
      .writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', ...site.headers })
      .end(htmlOf(site, calls, url.search));
  });
  const origin = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const loaderFor = ({ hosts }: Site) => {
    const files = Object.fromEntries(
      Object.entries(manifest as Record<string, { file: string; integrity: string }>).map(
        ([name, { file, integrity }]) => [name, { path: `/script/${file}`, integrity }],
      ),
    ) as Config['files'];
    const config: Config = { token: api.account.account_token, url: origin(door), files };
    if (hosts) config.hosts = hosts.map(hostHash);
    return `window.__usher=${JSON.stringify(config)};${readFileSync(new URL(manifest.loader.file, dist), 'utf8')}`;
  };

  let count = 0;
  const open: World['open'] = async (site = {}, { context, path = '/', uid } = {}) => {
    const name = `site ${++count}`;
    sites.set(name, site);
    const where = context ?? (await browser.newContext());
    if (!context) onTestFinished(() => where.close());
    const page = await where.newPage();
    page.on('pageerror', (error) => errors.push(`${error}`));
    const errors: string[] = [];
    onTestFinished(() => expect(errors).toEqual([]));
    await page.goto(`${origin(pages)}${path}?${new URLSearchParams({ site: name, ...(uid && { uid }) })}`);
    return page;
  };
  return Object.assign(world, {
    api,
    browser,
    open,
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

function htmlOf({ head = '', body = '', nonce }: Site, calls: string, query: string): string {
  const attribute = nonce ? ` nonce="${nonce}"` : '';
  return `<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width"><title>A page</title>${head}
<script${attribute}>window.usher={q:[]};["identify","track","set","show","clear","on","off","init"].forEach(function(n){usher[n]=function(){usher.q.push([n,arguments])}});${calls}</script>
<script async${attribute} src="/loader.js${query.replaceAll('&', '&amp;')}"></script></head><body>${body}</body></html>`;
}

async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<Server> {
  const server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}
