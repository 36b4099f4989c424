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
  it('returns metrics and the API description to everybody without a secret', async () => {
    const { url } = await startApi();
    for (const path of paths) expect(await statusOf(url + path)).toBe(200);
  });

  it('requires USHER_OPERATIONS_SECRET as a bearer token if it is set', async () => {
    const { url } = await startApi({ env: { USHER_OPERATIONS_SECRET: SECRET } });
    for (const path of paths) {
      const response = await fetch(url + path);
      expect([response.status, await response.json()]).toEqual([403, { code: 403, messages: [expect.any(String)] }]);
      for (const authorization of [SECRET, `Bearer ${SECRET}x`, 'Bearer ', `Basic ${btoa(`:${SECRET}`)}`])
        expect(await statusOf(url + path, { authorization })).toBe(403);
      expect(await statusOf(url + path, { authorization: `Bearer ${SECRET}` })).toBe(200);
    }
    expect(await statusOf(`${url}/healthz`)).toBe(200);
  });

  it('serves metrics and the API description only on USHER_OPERATIONS_PORT if it is set, with the health checks', async () => {
    const port = await freePort();
    const { url } = await startApi({ env: { USHER_OPERATIONS_PORT: String(port) } });
    const inner = `http://127.0.0.1:${port}`;
    for (const path of paths) expect([await statusOf(url + path), await statusOf(inner + path)]).toEqual([404, 200]);
    for (const path of ['/healthz', '/readyz'])
      expect([await statusOf(url + path), await statusOf(inner + path)]).toEqual([200, 200]);
    expect(await statusOf(`${inner}/v3/edit/urls`)).toBe(404);
  });

  it('renders the metrics once for all who read them within a second', async () => {
    const { url } = await startApi();
    const texts = await Promise.all(Array.from({ length: 20 }, async () => (await fetch(`${url}/metrics`)).text()));
    // The time of the processor differs with each rendering.
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toMatch(/^process_cpu_seconds_total /m);
  });

  it('compresses the API description, and returns 304 to a client that has it', async () => {
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

  it('sends Referrer-Policy and X-Content-Type-Options', async () => {
    expect(await headersOf({})).toEqual(['no-referrer', 'nosniff', null]);
    expect(await headersOf({}, '/nothing')).toEqual(['no-referrer', 'nosniff', null]);
  });

  it('sends HSTS if browsers reach the server over HTTPS', async () => {
    const env = { USHER_PUBLIC_URL: 'https://usher.example.com' };
    expect((await headersOf(env))[2]).toBe('max-age=31536000');
  });
});
