import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../test/api.ts';
import { conditionalResponse, etagOf as etagOfContent } from './etag.ts';
import type { HttpRequest } from './http-request.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

const LIST = '/v3/edit/urls';
const etagOf = async () => (await api.get(LIST)).headers.get('etag') ?? '';

describe('a GET of the API', () => {
  it('returns a weak ETag, and still forbids caches to store the response', async () => {
    const { headers } = await api.get(LIST);
    expect(headers.get('etag')).toMatch(/^W\/"[\w-]{27}"$/);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it.each([
    ['the same ETag', (etag: string) => etag],
    ['the ETag without W/', (etag: string) => etag.replace('W/', '')],
    ['a list of ETags', (etag: string) => `"other", ${etag}`],
    ['*', () => '*'],
  ])('returns 304 without a body for If-None-Match with %s', async (_what, known) => {
    const etag = await etagOf();
    const headers = { 'X-Account-Secret': api.account.account_secret, 'If-None-Match': known(etag) };
    const response = await fetch(api.url + LIST, { headers });
    expect([response.status, await response.text()]).toEqual([304, '']);
    expect(['etag', 'vary', 'content-type'].map((name) => response.headers.get(name))).toEqual([
      etag,
      'accept-encoding',
      null,
    ]);
  });

  it('returns the same ETag compressed and not compressed', async () => {
    const etags = [];
    for (const encoding of ['identity', 'gzip', 'br'])
      etags.push((await api.get(LIST, { headers: { 'Accept-Encoding': encoding } })).headers.get('etag'));
    expect(new Set(etags).size).toBe(1);
  });

  it('returns 200 and another ETag after a change', async () => {
    const etag = await etagOf();
    await api.post(LIST, { host: 'changed.example.com', enabled: 'on' });
    const { status, headers } = await api.get(LIST, { headers: { 'If-None-Match': etag } });
    expect([status, headers.get('etag') === etag]).toEqual([200, false]);
  });

  it('returns errors without an ETag, even with If-None-Match', async () => {
    const { status, headers } = await api.get(LIST, { as: null, headers: { 'If-None-Match': '*' } });
    expect([status, headers.get('etag')]).toEqual([403, null]);
  });
});

describe('other requests', () => {
  it('returns no ETag and ignores If-None-Match', async () => {
    const { status, headers } = await api.post(
      LIST,
      { host: 'posted.example.com' },
      { headers: { 'If-None-Match': '*' } },
    );
    expect([status, headers.get('etag')]).toEqual([201, null]);
  });
});

describe('a long list', () => {
  const texts = ['plain', 'ü €', '"quoted"', '\u2028', 'x'.repeat(500)];
  const row = (at: number) => ({ at, text: texts[at % texts.length], none: undefined, list: [at, null] });
  const write = async (value: object) => {
    const { body, headers } = await conditionalResponse({ headers: {} } as HttpRequest, value);
    return { body, etag: headers[headers.indexOf('etag') + 1] };
  };

  it.each([0, 1, 50, 51, 500, 3000])(
    'of %s rows has the text and the ETag that it has written together',
    async (rows) => {
      const value = {
        before: 1,
        gone: undefined,
        rows: Array.from({ length: rows }, (_, at) => row(at)),
        'a "key"': null,
      };
      const json = JSON.stringify(value);
      expect(await write(value)).toEqual({ body: json, etag: etagOfContent(json) });
    },
  );

  it('of other values has them as JSON has them', async () => {
    const value = { values: [undefined, null, 'a', ...Array(60).fill(1)], others: Array(60).fill([]) };
    expect((await write(value)).body).toBe(JSON.stringify(value));
  });

  it('lets other work run while it is written', async () => {
    const value = { rows: Array.from({ length: 20_000 }, (_, at) => ({ ...row(at), long: 'x'.repeat(2000) })) };
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 0);
    await write(value);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(0);
  });
});
