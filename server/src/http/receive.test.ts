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
const exists = async (uid: string) => (await api.get('/v3/analyze/profile', { query: `uid=${uid}` })).status === 200;

describe.each(Object.entries(encoders))('a body with Content-Encoding %s', (encoding, encode) => {
  it('decodes the body of a single profile', async () => {
    const uid = newUid();
    const { status } = await api.post('/v3/observe/hooks/profiles', encode(JSON.stringify({ uid })), encoded(encoding));
    expect([status, await exists(uid)]).toEqual([200, true]);
  });

  it('decodes a batch, with the secret in the header or in the body', async () => {
    const [one, two] = [newUid(), newUid()];
    const { account_secret } = api.account;
    const first = await api.post(BATCH, encode(JSON.stringify({ profiles: [{ uid: one }] })), encoded(encoding));
    const inBody = encode(JSON.stringify({ account_secret, profiles: [{ uid: two }] }));
    const second = await api.post(BATCH, inBody, { ...encoded(encoding), as: null });
    expect([first.status, second.status, await exists(one), await exists(two)]).toEqual([202, 202, true, true]);
  });

  it('decodes the body of a page load', async () => {
    const body = encode(JSON.stringify({ account_token: api.account.account_token, uid: newUid(), href: PAGE }));
    expect((await api.post('/v3/observe/visits', body, { ...encoded(encoding), as: null })).status).toBe(200);
  });

  it('decodes an upload', async () => {
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
  const endpoints: [path: string, limit: number, size: string][] = [
    ['/v3/observe/hooks/profiles', MB, '1 MB'],
    [BATCH, 16 * MB, '16 MB'],
    ['/v3/observe/visits', MB / 8, '128 KB'],
  ];

  it.each(endpoints)('decodes a body up to the limit of %s, and returns 413 above it', async (path, limit, size) => {
    const sized = (bytes: number) => gzipSync(JSON.stringify({ profiles: [] }).padEnd(bytes)) as Bytes;
    expect((await api.post(path, sized(limit), encoded('gzip'))).status).not.toBe(413);
    const { status, body } = await api.post(path, sized(limit + 1), encoded('gzip'));
    expect([status, body.messages]).toEqual([413, [`The body is larger than ${size}`]]);
  });

  it.each(endpoints)('takes little memory for a body that decodes to a gigabyte at %s', async (path) => {
    // Several gzip members in a row are decoded as one.
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
  ])('returns 422 for a body that is not valid %s', async (encoding, sent) => {
    const { status, body } = await api.post('/v3/observe/hooks/profiles', sent, encoded(encoding));
    expect([status, body.messages]).toEqual([422, [`The body is not valid ${encoding}`]]);
  });

  it.each(['zstd', 'compress', 'gzip, gzip', 'constructor'])(
    'returns 415 for the Content-Encoding %s',
    async (encoding) => {
      for (const path of ['/v3/observe/hooks/profiles', BATCH, '/v3/observe/visits', '/v3/edit/i18n']) {
        const { status, body } = await api.post(path, '{}', encoded(encoding));
        expect([path, status, body.messages]).toEqual([
          path,
          415,
          ['The `Content-Encoding` of a body must be `gzip`, `deflate`, `br` or `identity`'],
        ]);
      }
    },
  );
});

describe('a body that stops arriving', () => {
  it('returns 408 and closes the connection for a profile, a batch, an upload and a page load', async () => {
    const impatient = await startApi({ env: { USHER_BODY_TIMEOUT: '1' } });
    const paths = ['/v3/observe/hooks/profiles', BATCH, '/v3/edit/i18n', '/v3/observe/visits'];
    for (const received of await Promise.all(paths.map((path) => stopSending(impatient, path))))
      expect(received).toMatch(/^HTTP\/1\.1 408 .*connection: close.*The body came too slowly/is);
  });

  /** Sends the beginning of a body, and returns what comes until the server closes the connection. */
  async function stopSending({ url, account }: Api, path: string): Promise<string> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    let received = '';
    socket.on('data', (data) => {
      received += data;
    });
    const type = path.endsWith('i18n') ? 'multipart/form-data; boundary=x' : 'application/json';
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: usher\r\nX-Account-Secret: ${account.account_secret}\r\nContent-Type: ${type}\r\nContent-Length: 1000\r\n\r\n--x`,
    );
    await once(socket, 'close');
    return received;
  }
});
