import { request } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Api, startApi } from '../../test/api.ts';
import { createLog } from '../log/log.ts';
import { Metrics } from '../metrics/metrics.ts';
import { readSettings } from '../settings/settings.ts';
import { responseWith } from './http-response.ts';
import { HttpServer } from './server.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
  for (let n = 0; n < 30; n++) await api.post('/v3/edit/urls', { host: `app-${n}.example.com`, enabled: 'on' });
});
afterAll(() => api.stop());

const LIST = '/v3/edit/urls';
const decoders: Record<string, (body: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };

/** Sends a request without decoding the response. */
async function sendRaw(
  url: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
) {
  const sent = request(url, { method, headers, agent: false });
  sent.end(body);
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject);
  });
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

const listUrls = (headers: Record<string, string>, method = 'GET') =>
  sendRaw(api.url + LIST, { method, headers: { 'X-Account-Secret': api.account.account_secret, ...headers } });

describe('a JSON response above 1 KB', () => {
  it.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=0.5, br;q=0', 'gzip'],
  ])('compresses JSON for a client that accepts %s', async (accepted, encoding) => {
    const plain = await listUrls({});
    const { status, headers, body } = await listUrls({ 'Accept-Encoding': accepted });
    expect([status, headers['content-encoding'], headers.vary]).toEqual([200, encoding, 'accept-encoding']);
    expect(Number(headers['content-length'])).toBe(body.length);
    expect(body.length).toBeLessThan(plain.body.length / 3);
    expect(decoders[encoding]?.(body).equals(plain.body)).toBe(true);
  });

  it.each(['', 'identity', 'deflate', 'br;q=0, gzip;q=0'])(
    'does not compress JSON for a client that accepts %j',
    async (accepted) => {
      const { headers, body } = await listUrls(accepted === '' ? {} : { 'Accept-Encoding': accepted });
      expect([headers['content-encoding'], headers.vary]).toEqual([undefined, 'accept-encoding']);
      expect(JSON.parse(body.toString()).urls.length).toBeGreaterThan(10);
    },
  );

  it('returns the same headers for HEAD, and no body', async () => {
    const accept = { 'Accept-Encoding': 'br' };
    const [get, head] = [await listUrls(accept), await listUrls(accept, 'HEAD')];
    expect(head.body.length).toBe(0);
    for (const name of ['content-encoding', 'content-length', 'content-type', 'etag', 'vary'])
      expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
  });
});

describe('other responses', () => {
  it('does not compress a response below 1 KB', async () => {
    const { headers } = await sendRaw(`${api.url}/`, {
      headers: { 'X-Account-Secret': api.account.account_secret, 'Accept-Encoding': 'br' },
    });
    expect(headers['content-encoding']).toBe(undefined);
  });

  it('does not compress a response that shows a secret', async () => {
    const { status, headers, body } = await sendRaw(`${api.url}/v3/edit/webhooks`, {
      method: 'POST',
      headers: {
        'X-Account-Secret': api.account.account_secret,
        'Accept-Encoding': 'br',
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ url: `https://example.com/${'x'.repeat(1200)}`, topics: ['tour.*'] }),
    });
    expect([status, headers['content-encoding']]).toEqual([201, undefined]);
    expect(JSON.parse(body.toString()).webhook.secret).toEqual(expect.any(String));
    expect(body.length).toBeGreaterThan(1024);
  });

  it('does not compress a response that is already compressed', async () => {
    const { headers, body } = await sendRaw(`${api.url}/openapi.json`, { headers: { 'Accept-Encoding': 'br' } });
    expect(headers['content-encoding']).toBe('br');
    expect(JSON.parse(brotliDecompressSync(body).toString()).openapi).toBe('3.1.0');
  });
});

describe('a streamed response', () => {
  async function startStreaming(): Promise<string> {
    const metrics = new Metrics();
    const server = new HttpServer({
      settings: readSettings({}),
      storage: api.app.storage,
      log: createLog('silent'),
      metrics,
    });
    const add = (path: string, type: string) =>
      server.add(
        ['GET'],
        path,
        async () => responseWith(200, Readable.from(['first '.repeat(1000), 'last']), { 'content-type': type }),
        { compress: true },
      );
    add('/text', 'text/plain');
    add('/picture', 'image/png');
    onTestFinished(async () => {
      await server.close();
    });
    return server.listen({ host: '127.0.0.1', port: 0 });
  }

  it('compresses a text while it is streamed', async () => {
    const url = await startStreaming();
    for (const [encoding, decode] of Object.entries(decoders)) {
      const { headers, body } = await sendRaw(`${url}/text`, { headers: { 'Accept-Encoding': encoding } });
      expect([headers['content-encoding'], headers['content-length']]).toEqual([encoding, undefined]);
      expect(decode(body).toString()).toBe(`${'first '.repeat(1000)}last`);
    }
  });

  it('does not compress an image', async () => {
    const url = await startStreaming();
    const { headers, body } = await sendRaw(`${url}/picture`, { headers: { 'Accept-Encoding': 'br, gzip' } });
    expect([headers['content-encoding'], headers.vary, body.length]).toEqual([undefined, undefined, 6004]);
  });
});
