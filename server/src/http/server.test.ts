import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Api, startApi } from '../../test/api.ts';
import { invalid } from '../errors.ts';
import { createLog } from '../log/log.ts';
import { Metrics } from '../metrics/metrics.ts';
import { readSettings } from '../settings/settings.ts';
import { responseWith } from './http-response.ts';
import { Router } from './router.ts';
import { HttpServer } from './server.ts';

let api: Api;
let port: number;
const visit = { href: 'https://app.example.com/home', uid: 'ann' };

beforeAll(async () => {
  api = await startApi({ inTest: false });
  port = Number(new URL(api.url).port);
  await api.post('/v3/edit/urls', { host: 'app.example.com', enabled: 'on' });
});
afterAll(() => api.stop());

const token = () => api.account.account_token;
const post = (body: string, more = '') =>
  `POST /v3/observe/visits HTTP/1.1\r\nHost: x\r\n${more}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const last = 'Connection: close\r\n';

/** Returns everything that is received on one connection until it closes. */
async function talk(sent: string, leaves = false): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const received: Buffer[] = [];
  socket.on('data', (chunk) => received.push(chunk));
  socket.on('error', () => {});
  socket.write(sent);
  if (leaves) socket.end();
  await once(socket, 'close');
  return Buffer.concat(received).toString();
}

describe('endpoints for pages', () => {
  it('sends headers that forbid caching and name the content type', async () => {
    const { status, headers } = await api.post(
      '/v3/observe/visits',
      { account_token: token(), ...visit },
      { as: null },
    );
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-type': 'application/json; charset=utf-8',
      'access-control-allow-origin': '*',
    });
  });

  it('accepts parameters in the URL', async () => {
    const { status } = await api.post(
      `/v3/observe/visits?account_token=${token()}&uid=ann`,
      { href: visit.href },
      { as: null },
    );
    expect(status).toBe(200);
  });

  it('returns 404 for other paths and 405 for other methods', async () => {
    for (const [method, path, status] of [
      ['GET', '/v3/observe/visits', 405],
      ['PUT', '/v3/observe/visits', 405],
      ['POST', '/v3/observe/visits/', 404],
      ['OPTIONS', '/v3/observe/visit', 404],
    ] as const)
      expect((await api.send(method, path, { as: null })).status).toBe(status);
  });

  it('responds to pipelined requests in order', async () => {
    const bodies = ['ann', 'bob', ''].map((uid) => JSON.stringify({ account_token: token(), ...visit, uid }));
    const responses = await talk(bodies.map((body, at) => post(body, at === 2 ? last : '')).join(''));
    expect(responses.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 422']);
    expect(responses.indexOf('"uid":"ann"')).toBeLessThan(responses.indexOf('"uid":"bob"'));
  });

  it('rejects a chunked body that becomes too large', async () => {
    const chunk = 'x'.repeat(64 * 1024);
    const chunks = `${`${chunk.length.toString(16)}\r\n${chunk}\r\n`.repeat(3)}0\r\n\r\n`;
    const response = await talk(
      `POST /v3/observe/visits HTTP/1.1\r\nHost: x\r\n${last}Transfer-Encoding: chunked\r\n\r\n${chunks}`,
    );
    expect(response).toMatch(/^HTTP\/1\.1 413 /);
    expect(response).toContain('The body is larger than 128 KB');
  });

  it('serves the next request after a client disconnects during its request', async () => {
    const whole = post(JSON.stringify({ account_token: token(), ...visit }));
    await talk(whole.slice(0, -5), true);
    const { status } = await api.post('/v3/observe/visits', { account_token: token(), ...visit }, { as: null });
    expect(status).toBe(200);
  });

  it('counts requests by route, and never by URL', async () => {
    await api.post('/v3/observe/visits?uid=hidden-uid', { account_token: 'wrong' }, { as: null });
    const metrics = await (await fetch(`${api.url}/metrics`)).text();
    expect(metrics).toMatch(
      /usher_http_requests_total\{method="POST",route="\/v3\/observe\/visits",status="403"\} [1-9]/,
    );
    expect(metrics).not.toContain('hidden-uid');
  });
});

describe('a body', () => {
  const head = (more: string) =>
    `POST /v3/edit/urls HTTP/1.1\r\nHost: x\r\nX-Account-Secret: ${api.account.account_secret}\r\n${more}\r\n`;

  it.each([
    ['after its headers', (body: string) => [head(`Content-Length: ${body.length}\r\n`), body]],
    ['in two parts', (body: string) => [head(`Content-Length: ${body.length}\r\n`) + body.slice(0, 9), body.slice(9)]],
    [
      'in chunks',
      (body: string) => [
        `${head('Transfer-Encoding: chunked\r\n')}5\r\n${body.slice(0, 5)}\r\n`,
        `${(body.length - 5).toString(16)}\r\n${body.slice(5)}\r\n0\r\n\r\n`,
      ],
    ],
  ])('reads a body that arrives %s, and then the next request', async (how, parts) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    const host = `${how.replaceAll(' ', '-')}.example.com`;
    const [first, second] = parts(JSON.stringify({ host, enabled: 'on' })) as [string, string];
    socket.write(first);
    await once(socket, 'connect');
    // The server has read what was written when it responds on a later connection.
    await fetch(`${api.url}/healthz`);
    socket.write(`${second}${head('Content-Length: 2\r\nConnection: close\r\n')}{}`);
    await once(socket, 'close');
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 201', 'HTTP/1.1 422']);
    expect(received).toContain(`"host":"${host}"`);
  });
});

describe('a streamed response', () => {
  async function startStreaming() {
    const lines: string[] = [];
    const log = createLog('info', { write: (text) => void lines.push(...text.trimEnd().split('\n')) });
    const metrics = new Metrics();
    const server = new HttpServer({ settings: readSettings({}), storage: api.app.storage, log, metrics });
    const stream = (path: string, pieces: () => AsyncGenerator<string>) =>
      server.add(['GET'], path, async () =>
        responseWith(200, Readable.from(pieces()), { 'content-type': 'text/plain' }),
      );
    let ended = 0;
    stream('/whole', async function* () {
      yield 'one ';
      yield 'two';
    });
    stream('/empty', async function* () {});
    // biome-ignore lint/correctness/useYield: it fails before
    stream('/rejected', async function* () {
      throw invalid('Not today');
    });
    stream('/broken', async function* () {
      yield 'one ';
      throw new Error('broken while it is sent');
    });
    stream('/endless', async function* () {
      try {
        for (;;) yield 'x'.repeat(100_000);
      } finally {
        ended += 1;
      }
    });
    const url = await server.listen({ host: '127.0.0.1', port: 0 });
    onTestFinished(async () => {
      await server.close();
    });
    return { url, lines, ended: () => ended };
  }

  it('sends chunks as they are produced', async () => {
    const { url } = await startStreaming();
    expect(await (await fetch(`${url}/whole`)).text()).toBe('one two');
    expect(await (await fetch(`${url}/empty`)).text()).toBe('');
    const head = await fetch(`${url}/endless`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([200, 'text/plain', '']);
  });

  it('returns an error response if the stream fails before its first chunk', async () => {
    const { url } = await startStreaming();
    const response = await fetch(`${url}/rejected`);
    expect([response.status, await response.json()]).toEqual([422, { code: 422, messages: ['Not today'] }]);
  });

  it('closes the connection if the stream fails later, and logs the error', async () => {
    const { url, lines } = await startStreaming();
    const response = await fetch(`${url}/broken`);
    await expect(response.text()).rejects.toThrow();
    await vi.waitFor(() => expect(lines.join()).toContain('broken while it is sent'));
  });

  it('ends the stream when the client disconnects, and logs no error', async () => {
    const { url, lines, ended } = await startStreaming();
    const client = request(`${url}/endless`, { agent: false }).end();
    const [response] = await once(client, 'response');
    await once(response, 'data');
    client.destroy();
    await vi.waitFor(() => expect(ended()).toBe(1));
    await fetch(`${url}/whole`);
    await vi.waitFor(() => expect(lines.join()).toContain('/whole'));
    expect(lines.join()).not.toContain('request failed');
  });
});

describe('a streamed response whose client disconnects before its first chunk', () => {
  it('destroys the stream and logs no error', async () => {
    const lines: string[] = [];
    const log = createLog('info', { write: (text) => void lines.push(text) });
    const metrics = new Metrics();
    const server = new HttpServer({ settings: readSettings({}), storage: api.app.storage, log, metrics });
    const streams: Readable[] = [];
    server.add(['GET'], '/silent', async () => {
      const silent = new Readable({ read() {} });
      streams.push(silent);
      return responseWith(200, silent, { 'content-type': 'text/plain' });
    });
    const url = await server.listen({ host: '127.0.0.1', port: 0 });
    onTestFinished(async () => {
      await server.close();
    });
    const client = request(`${url}/silent`, { agent: false }).end();
    client.on('error', () => {});
    await vi.waitFor(() => expect(streams.length).toBe(1));
    client.destroy();
    await vi.waitFor(() => expect(streams[0]?.destroyed).toBe(true));
    expect(lines.join()).not.toContain('request failed');
  });
});

describe('the signal of a request', () => {
  it('aborts the signal when the client disconnects, but not after the response', async () => {
    const metrics = new Metrics();
    const log = createLog('silent');
    const server = new HttpServer({ settings: readSettings({}), storage: api.app.storage, log, metrics });
    const signals: AbortSignal[] = [];
    server.add(['GET'], '/waiting', async ({ signal }) => {
      signals.push(signal);
      await once(signal, 'abort');
      return responseWith(200, '', {});
    });
    server.add(['GET'], '/done', async ({ signal }) => {
      signals.push(signal);
      return responseWith(200, '', {});
    });
    const url = await server.listen({ host: '127.0.0.1', port: 0 });
    onTestFinished(async () => {
      await server.close();
    });
    await (await fetch(`${url}/done`)).text();
    const client = request(`${url}/waiting`, { agent: false }).end();
    client.on('error', () => {});
    await vi.waitFor(() => expect(signals.length).toBe(2));
    client.destroy();
    await vi.waitFor(() => expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]));
  });
});

describe('an error outside of a handler', () => {
  async function startBroken({ metrics = new Metrics(), log = createLog('silent') } = {}) {
    const server = new HttpServer({ settings: readSettings({}), storage: api.app.storage, log, metrics });
    server.add(['GET'], '/fine', async () => responseWith(200, 'fine', {}));
    server.add(['GET'], '/broken', async () => {
      throw new Error('broken');
    });
    const url = await server.listen({ host: '127.0.0.1', port: 0 });
    onTestFinished(async () => {
      await server.close();
    });
    return url;
  }
  const statusOf = async (url: string) => (await fetch(url)).status;

  it('returns 500 when routing fails, and the next request is served', async () => {
    const url = await startBroken();
    const find = vi.spyOn(Router.prototype, 'find').mockImplementationOnce(() => {
      throw new Error('no route');
    });
    expect(await statusOf(`${url}/fine`)).toBe(500);
    find.mockRestore();
    expect(await statusOf(`${url}/fine`)).toBe(200);
  });

  it('does not fail a request whose metrics or log fail', async () => {
    const metrics = new Metrics();
    const log = createLog('silent');
    const url = await startBroken({ metrics, log });
    metrics.observe = () => {
      throw new Error('no metrics');
    };
    log.error = () => {
      throw new Error('no log');
    };
    expect([await statusOf(`${url}/fine`), await statusOf(`${url}/broken`), await statusOf(`${url}/none`)]).toEqual([
      200, 500, 404,
    ]);
  });
});

describe('a server that closes', () => {
  it('finishes a request that it has started to read, then closes the connection', async () => {
    const ending = await startApi({ inTest: false });
    await ending.post('/v3/edit/urls', { host: 'app.example.com', enabled: 'on' });
    const body = JSON.stringify({ account_token: ending.account.account_token, ...visit });
    const socket = connect(Number(new URL(ending.url).port), '127.0.0.1');
    const received: Buffer[] = [];
    socket.on('data', (chunk) => received.push(chunk));
    const request = post(body);
    socket.write(request.slice(0, -5));
    await once(socket, 'connect');
    // The server has begun to read the request when it responds on a later connection.
    await fetch(`${ending.url}/healthz`);
    const stopped = ending.stop();
    socket.write(request.slice(-5));
    await once(socket, 'close');
    await stopped;
    expect(Buffer.concat(received).toString()).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*connection: close\r\n/i);
  });
});

describe('the protocol behind a proxy', () => {
  const forwarded = (proto: string) => ({ 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Proto': proto });
  const rejected = (behind: Api, headers: Record<string, string>) =>
    behind.post('/v3/observe/visits', { account_token: 'wrong' }, { as: null, headers });

  it('uses X-Forwarded-Proto from a trusted proxy', async () => {
    const behind = await startApi({ env: { USHER_TRUST_PROXY: '127.0.0.1', USHER_REQUIRE_HTTPS: 'true' } });
    const responses = [
      await rejected(behind, forwarded('https')),
      await rejected(behind, forwarded('http')),
      await rejected(behind, {}),
    ];
    expect(responses.map(({ body }) => /https:/.test(body.messages[0]))).toEqual([false, true, false]);
  });

  it('ignores X-Forwarded-Proto from other clients', async () => {
    const alone = await startApi({ env: { USHER_REQUIRE_HTTPS: 'true', USHER_TRUST_PROXY: '10.0.0.0/8' } });
    const { body } = await rejected(alone, forwarded('http'));
    expect(body.messages[0]).toMatch(/account_token/);
  });
});

describe('a server that stops', () => {
  it('answers on idle connections for a moment, each for the last time, and accepts no new ones', async () => {
    const metrics = new Metrics();
    const log = createLog('silent');
    const server = new HttpServer({ settings: readSettings({}), storage: api.app.storage, log, metrics });
    server.add(['GET'], '/fine', async () => responseWith(200, 'fine', {}));
    const { port: own } = new URL(await server.listen({ host: '127.0.0.1', port: 0 }));
    const ask = 'GET /fine HTTP/1.1\r\nHost: x\r\n\r\n';
    const open = async () => {
      const socket = connect(Number(own), '127.0.0.1').setEncoding('utf8');
      socket.write(ask);
      expect(String(await once(socket, 'data'))).toContain('keep-alive');
      return socket;
    };
    const [busy, idle] = [await open(), await open()];
    let isClosed = false;
    const closing = server.close(60_000).then(() => {
      isClosed = true;
    });
    const accepts = async () => {
      const socket = connect(Number(own), '127.0.0.1');
      const isAccepted = await once(socket, 'connect').then(
        () => true,
        () => false,
      );
      socket.destroy();
      return isAccepted;
    };
    await expect.poll(accepts).toBe(false);
    busy.write(ask);
    const [response] = await once(busy, 'data');
    expect(response).toMatch(/^HTTP\/1.1 200 /);
    expect(response).toMatch(/^connection: close/im);
    await once(busy, 'close');
    expect(isClosed).toBe(false);
    idle.end();
    await closing;
  });

  it('closes idle connections after that moment, also connections that have sent nothing yet', async () => {
    const metrics = new Metrics();
    const log = createLog('silent');
    const server = new HttpServer({ settings: readSettings({}), storage: api.app.storage, log, metrics });
    server.add(['GET'], '/fine', async () => responseWith(200, 'fine', {}));
    const url = await server.listen({ host: '127.0.0.1', port: 0 });
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const [response] = await once(request(`${url}/fine`, { agent }).end(), 'response');
    for await (const _ of response);
    const unused = connect(Number(new URL(url).port), '127.0.0.1');
    await once(unused, 'connect');
    const closed = once(unused, 'close');
    await server.close(20);
    await closed;
  });
});
