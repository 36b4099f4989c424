import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startApi } from '../../test/api.ts';

const SECRET = 'a-secret-of-the-operator';
const paths = ['/metrics', '/openapi.json'];

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const statusOf = async (url: string, headers: Record<string, string> = {}) => (await fetch(url, { headers })).status;

describe('/metrics and /openapi.json', () => {
  it('are open unless the operator sets a secret', async () => {
    const { url } = await startApi();
    for (const path of paths) expect(await statusOf(url + path)).toBe(200);
  });

  it('need USHER_OPERATIONS_SECRET as a bearer token where it is set', async () => {
    const { url } = await startApi({ env: { USHER_OPERATIONS_SECRET: SECRET } });
    for (const path of paths) {
      const answer = await fetch(url + path);
      expect([answer.status, await answer.json()]).toEqual([403, { code: 403, messages: [expect.any(String)] }]);
      for (const authorization of [SECRET, `Bearer ${SECRET}x`, 'Bearer ', `Basic ${btoa(`:${SECRET}`)}`])
        expect(await statusOf(url + path, { authorization })).toBe(403);
      expect(await statusOf(url + path, { authorization: `Bearer ${SECRET}` })).toBe(200);
    }
    expect(await statusOf(`${url}/healthz`)).toBe(200);
  });

  it('are only at USHER_OPERATIONS_PORT where it is set, together with health checks', async () => {
    const port = await freePort();
    const { url } = await startApi({ env: { USHER_OPERATIONS_PORT: String(port) } });
    const inner = `http://127.0.0.1:${port}`;
    for (const path of paths) expect([await statusOf(url + path), await statusOf(inner + path)]).toEqual([404, 200]);
    for (const path of ['/healthz', '/readyz'])
      expect([await statusOf(url + path), await statusOf(inner + path)]).toEqual([200, 200]);
    expect(await statusOf(`${inner}/v3/edit/urls`)).toBe(404);
  });

  it('sends the description in the shortest form that the client takes, and not again when it is known', async () => {
    const { url } = await startApi();
    const first = await fetch(`${url}/openapi.json`, { headers: { 'Accept-Encoding': 'br' } });
    expect([first.headers.get('content-encoding'), ((await first.json()) as { openapi: string }).openapi]).toEqual([
      'br',
      '3.1.0',
    ]);
    const known = { 'If-None-Match': first.headers.get('etag') ?? '' };
    expect(await statusOf(`${url}/openapi.json`, known)).toBe(304);
  });
});

describe('headers of every response', () => {
  const headersOf = async (env: Record<string, string>, path = '/healthz') => {
    const { headers } = await fetch((await startApi({ env })).url + path);
    return ['referrer-policy', 'x-content-type-options', 'strict-transport-security'].map((name) => headers.get(name));
  };

  it('say that no referrer is sent and no type is guessed', async () => {
    expect(await headersOf({})).toEqual(['no-referrer', 'nosniff', null]);
    expect(await headersOf({}, '/nothing')).toEqual(['no-referrer', 'nosniff', null]);
  });

  it('have HSTS where browsers reach the server by HTTPS', async () => {
    const env = { USHER_PUBLIC_URL: 'https://usher.example.com' };
    expect((await headersOf(env))[2]).toBe('max-age=31536000');
  });
});
