import { once } from 'node:events';
import { connect } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Api, startApi } from '../../test/api.ts';
import { newUid, openDomain, PAGE } from '../../test/visiting.ts';

const BATCH = '/v3/observe/hooks/profiles/batch';
const MB = 1024 * 1024;
let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
  await openDomain(api);
});
afterAll(() => api.stop());

type Bytes = Uint8Array<ArrayBuffer>;
const encoders: Record<string, (text: string) => Bytes> = {
  gzip: (text) => gzipSync(text) as Bytes,
  'x-gzip': (text) => gzipSync(text) as Bytes,
  GZIP: (text) => gzipSync(text) as Bytes,
  deflate: (text) => deflateSync(text) as Bytes,
  br: (text) => brotliCompressSync(text) as Bytes,
  identity: (text) => Buffer.from(text) as Bytes,
};
const encoded = (encoding: string, type = 'application/json') => ({
  headers: { 'Content-Encoding': encoding, 'Content-Type': type },
});
const isThere = async (uid: string) => (await api.get('/v3/analyze/profile', { query: `uid=${uid}` })).status === 200;

describe.each(Object.entries(encoders))('a body with Content-Encoding %s', (encoding, encode) => {
  it('is decoded at an endpoint for one thing', async () => {
    const uid = newUid();
    const { status } = await api.post('/v3/observe/hooks/profiles', encode(JSON.stringify({ uid })), encoded(encoding));
    expect([status, await isThere(uid)]).toEqual([200, true]);
  });

  it('is decoded when it is a batch, with the secret in the header or in the body', async () => {
    const [one, two] = [newUid(), newUid()];
    const { account_secret } = api.account;
    const first = await api.post(BATCH, encode(JSON.stringify({ profiles: [{ uid: one }] })), encoded(encoding));
    const inBody = encode(JSON.stringify({ account_secret, profiles: [{ uid: two }] }));
    const second = await api.post(BATCH, inBody, { ...encoded(encoding), as: null });
    expect([first.status, second.status, await isThere(one), await isThere(two)]).toEqual([202, 202, true, true]);
  });

  it('is decoded when a page sends it', async () => {
    const body = encode(JSON.stringify({ account_token: api.account.account_token, uid: newUid(), href: PAGE }));
    expect((await api.post('/v3/observe/visits', body, { ...encoded(encoding), as: null })).status).toBe(200);
  });

  it('is decoded when it is an upload', async () => {
    const form = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n[]\r\n--x--\r\n';
    const { status, body } = await api.post(
      '/v3/edit/i18n',
      encode(form),
      encoded(encoding, 'multipart/form-data; boundary=x'),
    );
    expect([status, body.messages[0]]).toEqual([422, expect.stringMatching(/^a\.json: /)]);
  });
});

describe('an encoded body', () => {
  const endpoints: [path: string, limit: number, says: string][] = [
    ['/v3/observe/hooks/profiles', MB, '1 MB'],
    [BATCH, 16 * MB, '16 MB'],
    ['/v3/observe/visits', MB / 8, '128 KB'],
  ];

  it.each(endpoints)('is decoded up to the limit of %s, and returns 413 above it', async (path, limit, says) => {
    const sized = (bytes: number) => gzipSync(JSON.stringify({ profiles: [] }).padEnd(bytes)) as Bytes;
    expect((await api.post(path, sized(limit), encoded('gzip'))).status).not.toBe(413);
    const { status, body } = await api.post(path, sized(limit + 1), encoded('gzip'));
    expect([status, body.messages]).toEqual([413, [`The body is larger than ${says}`]]);
  });

  it.each(endpoints)('that would decode into a gigabyte takes no such memory at %s', async (path) => {
    // One that is made of several is decoded as if it were one.
    const bomb = Buffer.concat(Array(64).fill(gzipSync(Buffer.alloc(16 * MB, ' '))));
    const before = process.memoryUsage().rss;
    const { status } = await api.post(path, bomb, encoded('gzip'));
    expect(status).toBe(413);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * MB);
  });

  it.each([
    ['gzip', 'not gzip at all'],
    ['deflate', 'not deflate'],
    ['br', 'not brotli, and long enough to see it'],
    ['gzip', gzipSync('{"uid":"1"}').subarray(0, 20)],
    ['br', brotliCompressSync('{"uid":"1","plan":"pro"}').subarray(0, 10)],
  ])('returns 422 when it is not valid %s', async (encoding, sent) => {
    const { status, body } = await api.post('/v3/observe/hooks/profiles', sent, encoded(encoding));
    expect([status, body.messages]).toEqual([422, [`The body is not valid ${encoding}`]]);
  });

  it.each(['zstd', 'compress', 'gzip, gzip', 'constructor'])('returns 415 for %s', async (encoding) => {
    for (const path of ['/v3/observe/hooks/profiles', BATCH, '/v3/observe/visits', '/v3/edit/i18n']) {
      const { status, body } = await api.post(path, '{}', encoded(encoding));
      expect([path, status, body.messages]).toEqual([
        path,
        415,
        ['The `Content-Encoding` of a body must be `gzip`, `deflate`, `br` or `identity`'],
      ]);
    }
  });
});

describe('a body that stops arriving', () => {
  it.each([
    ['an endpoint for one thing', '/v3/observe/hooks/profiles'],
    ['a batch', BATCH],
    ['an upload', '/v3/edit/i18n'],
    ['a page', '/v3/observe/visits'],
  ])('of %s returns 408 and the connection is closed', async (_what, path) => {
    const impatient = await startApi({ env: { USHER_BODY_TIMEOUT: '1' } });
    const { hostname, port } = new URL(impatient.url);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    let received = '';
    socket.on('data', (data) => {
      received += data;
    });
    const type = path.endsWith('i18n') ? 'multipart/form-data; boundary=x' : 'application/json';
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: usher\r\nX-Account-Secret: ${impatient.account.account_secret}\r\nContent-Type: ${type}\r\nContent-Length: 1000\r\n\r\n--x`,
    );
    await once(socket, 'close');
    expect(received).toMatch(/^HTTP\/1\.1 408 .*connection: close.*The body came too slowly/is);
  });
});
