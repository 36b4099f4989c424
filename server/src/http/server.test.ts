import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../test/api.ts';

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

/** All that comes back on one connection until it ends. */
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

describe('what pages call', () => {
  it('is told that nobody may keep the answer, and what it is', async () => {
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

  it('may have parameters in its address', async () => {
    const { status } = await api.post(
      `/v3/observe/visits?account_token=${token()}&uid=ann`,
      { href: visit.href },
      { as: null },
    );
    expect(status).toBe(200);
  });

  it('is nowhere but where it is', async () => {
    for (const [method, path] of [
      ['GET', '/v3/observe/visits'],
      ['PUT', '/v3/observe/visits'],
      ['POST', '/v3/observe/visits/'],
      ['OPTIONS', '/v3/observe/visit'],
    ] as const)
      expect((await api.send(method, path, { as: null })).status).toBe(404);
  });

  it('answers several requests of one connection in their order', async () => {
    const bodies = ['ann', 'bob', ''].map((uid) => JSON.stringify({ account_token: token(), ...visit, uid }));
    const answers = await talk(bodies.map((body, at) => post(body, at === 2 ? last : '')).join(''));
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 422']);
    expect(answers.indexOf('"uid":"ann"')).toBeLessThan(answers.indexOf('"uid":"bob"'));
  });

  it('refuses a body that turns out to be too large', async () => {
    const chunk = 'x'.repeat(64 * 1024);
    const chunks = `${`${chunk.length.toString(16)}\r\n${chunk}\r\n`.repeat(17)}0\r\n\r\n`;
    const answer = await talk(
      `POST /v3/observe/visits HTTP/1.1\r\nHost: x\r\n${last}Transfer-Encoding: chunked\r\n\r\n${chunks}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('The body is larger than 1 MB');
  });

  it('goes on after a page that left in the middle of its request', async () => {
    const whole = post(JSON.stringify({ account_token: token(), ...visit }));
    await talk(whole.slice(0, -5), true);
    const { status } = await api.post('/v3/observe/visits', { account_token: token(), ...visit }, { as: null });
    expect(status).toBe(200);
  });

  it('is counted by its route, never by its address', async () => {
    await api.post('/v3/observe/visits?uid=hidden-uid', { account_token: 'wrong' }, { as: null });
    const metrics = await (await fetch(`${api.url}/metrics`)).text();
    expect(metrics).toMatch(
      /usher_http_requests_total\{method="POST",route="\/v3\/observe\/visits",status="403"\} [1-9]/,
    );
    expect(metrics).not.toContain('hidden-uid');
  });
});

describe('a server that ends', () => {
  it('answers what it has begun to read, and closes the connection behind it', async () => {
    const ending = await startApi({ inTest: false });
    await ending.post('/v3/edit/urls', { host: 'app.example.com', enabled: 'on' });
    const body = JSON.stringify({ account_token: ending.account.account_token, ...visit });
    const socket = connect(Number(new URL(ending.url).port), '127.0.0.1');
    const received: Buffer[] = [];
    socket.on('data', (chunk) => received.push(chunk));
    const request = post(body);
    socket.write(request.slice(0, -5));
    await once(socket, 'connect');
    // The request is being read once another on a later connection is answered.
    await fetch(`${ending.url}/healthz`);
    const stopped = ending.stop();
    socket.write(request.slice(-5));
    await once(socket, 'close');
    await stopped;
    expect(Buffer.concat(received).toString()).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*connection: close\r\n/i);
  });
});

describe('a proxy', () => {
  const forwarded = (proto: string) => ({ 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Proto': proto });
  const refused = (behind: Api, headers: Record<string, string>) =>
    behind.post('/v3/observe/visits', { account_token: 'wrong' }, { as: null, headers });

  it('that is believed tells whether a page was loaded over HTTPS', async () => {
    const behind = await startApi({ env: { USHER_TRUST_PROXY: '127.0.0.1', USHER_REQUIRE_HTTPS: 'true' } });
    const answers = [
      await refused(behind, forwarded('https')),
      await refused(behind, forwarded('http')),
      await refused(behind, {}),
    ];
    expect(answers.map(({ body }) => /https:/.test(body.messages[0]))).toEqual([false, true, false]);
  });

  it('that is not believed cannot', async () => {
    const alone = await startApi({ env: { USHER_REQUIRE_HTTPS: 'true', USHER_TRUST_PROXY: '10.0.0.0/8' } });
    const { body } = await refused(alone, forwarded('http'));
    expect(body.messages[0]).toMatch(/account_token/);
  });
});
