import crypto, { createHash } from 'node:crypto';
import { request } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { text as readText } from 'node:stream/consumers';
import { createIdSource, firstIdAt, type Millis, OneOf, roles, Text } from '@usher/domain';
import Type from 'typebox';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createApp, routes } from '../src/app.ts';
import { tables } from '../src/db/schema.ts';
import { createAuthenticate } from '../src/features/team/accounts/authenticate.ts';
import { type CreatedAccount, createAccount } from '../src/features/team/accounts/create-account.ts';
import { listAccounts } from '../src/features/team/accounts/list-accounts.ts';
import { createAdmin } from '../src/features/team/admins/create-admin.ts';
import { createSecret } from '../src/features/team/secrets/create-secret.ts';
import { listSecrets } from '../src/features/team/secrets/list-secrets.ts';
import { revokeSecret } from '../src/features/team/secrets/revoke-secret.ts';
import { createAuthenticateSession } from '../src/features/team/sessions/authenticate-session.ts';
import { handleRequest } from '../src/http/handle-request.ts';
import { RequestQueues } from '../src/http/request-queues.ts';
import { route } from '../src/http/route.ts';
import { HttpServer } from '../src/http/server.ts';
import { createLog } from '../src/log/log.ts';
import { Metrics } from '../src/metrics/metrics.ts';
import { readSettings } from '../src/settings/settings.ts';
import { type Api, startApi } from './api.ts';
import { engine } from './engine.ts';

let api: Api;
let echo: Awaited<ReturnType<typeof startEcho>>;
beforeAll(async () => {
  api = await startApi({ inTest: false });
  echo = await startEcho();
});
afterAll(async () => {
  await echo.stop();
  await api.stop();
});

const unknownId = 'f'.repeat(24);
const json = { 'Content-Type': 'application/json' };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
let count = 0;
const newHost = () => `w${++count}.example.com`;
const newAccount = () => createAccount(api.app, { name: 'Fresh', email: `fresh${++count}@acme.test` });
const addUrl = async (params: object = {}, as = api.account) =>
  (await api.post('/v3/edit/urls', { host: newHost(), ...params }, { as })).body.url;
const addUrlGroup = async (as = api.account) =>
  (await api.post('/v3/edit/url_groups', { name: 'Staging' }, { as })).body.url_group;
const addProperty = async (as = api.account) =>
  (await api.post('/v3/edit/properties', { name: `P ${++count}`, description: 'Any', kind: 'profile' }, { as })).body
    .property;

/** The status of a request without a secret. Endpoints for people who have signed in respond with 401. */
function withoutSecret(method: string, path: string): number {
  const pattern = path.replace('/tours/', '/:kind/').replace(/\{(\w+)\}|f{24}/g, (_, name = 'id') => `:${name}`);
  const found = routes.find((one) => one.path === pattern && one.methods.some((known) => known === method));
  return found?.forSession ? 401 : 403;
}

interface Sent {
  body?: string | Buffer;
  headers?: Record<string, string>;
  base?: string;
}

/** Sends a request. Unlike `fetch`, it can send a body with GET, and adds no Content-Type. */
function call(method: string, path: string, { body = '', headers = {}, base = api.url }: Sent = {}) {
  return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const length = { 'Content-Length': Buffer.byteLength(body) };
    const secret = { 'X-Account-Secret': api.account.account_secret };
    const sent = request(base + path, { method, headers: { ...secret, ...headers, ...length } });
    sent.on('response', (response) => {
      readText(response).then((text) => resolve({ status: response.statusCode, text }), reject);
    });
    sent.on('error', reject).end(body);
  });
}

/** An endpoint with a parameter of every type that returns its parameters. */
async function startEcho() {
  const echo = route({
    methods,
    path: '/v3/analyze/echo/:id',
    summary: 'Return the parameters',
    parameters: Type.Object({
      number: Type.Optional(Type.Integer()),
      flag: Type.Optional(Type.Boolean()),
      text: Type.Optional(Text('a text')),
      topics: Type.Optional(Type.Array(Text('a word'))),
      expand: Type.Optional(
        Type.Object({
          profile: Type.Optional(OneOf(['all', 'min', 'skip'])),
          company: Type.Optional(OneOf(['all', 'min', 'skip'])),
        }),
      ),
    }),
    output: Type.Unknown(),
    run: async (_ctx, parameters) => parameters,
  });
  const metrics = new Metrics();
  const { app } = api;
  const deps = { settings: readSettings({}), storage: app.storage, log: createLog('silent'), metrics };
  const httpApp = new HttpServer(deps);
  const authenticate = createAuthenticate(app);
  const authenticateSession = createAuthenticateSession(app);
  httpApp.add(
    echo.methods,
    echo.path,
    handleRequest({ app, authenticate, authenticateSession, requestQueues: new RequestQueues() }, echo),
  );
  const base = await httpApp.listen({ host: '127.0.0.1', port: 0 });
  return {
    /** Returns the parameters that the endpoint parsed, without the ID of the path. */
    read: async (query: string, sent: Sent & { method?: string; id?: string } = {}) => {
      const path = `/v3/analyze/echo/${sent.id ?? unknownId}${query && `?${query}`}`;
      const { status, text } = await call(sent.method ?? 'POST', path, { ...sent, base });
      const { id, ...parsed } = JSON.parse(text);
      return status === 200 ? parsed : { status, messages: parsed.messages };
    },
    stop: async () => {
      await httpApp.close();
    },
  };
}

/** The error that the driver of the engine throws when the database cannot be reached. */
function storageError(): Error {
  return Object.assign(new Error('unavailable'), { code: engine === 'sqlite' ? 'SQLITE_IOERR' : 'ECONNREFUSED' });
}

/** A clock that is corrected by up to 50 seconds: after a larger correction, IDs follow the clock. */
function steppingBack(): () => Millis {
  let steps = 0;
  return () => 1_700_000_000_000 - (steps++ % 50_000);
}

/** Creates Urls at these times, newest last. */
async function seedUrls({ account_id }: CreatedAccount, times: Millis[]): Promise<string[]> {
  const rows = times.map((time, index) => ({
    account_id,
    id: firstIdAt(time),
    updated_at: time,
    host: `s${index}.example.com`,
    domain: 'example.com',
    enabled: 'on' as const,
  }));
  await api.app.storage.write(account_id, (db) => db.insertInto('urls').values(rows).execute());
  return rows.map(({ id }) => id);
}
const days = (many: number) => Array.from({ length: many }, (_, index) => Date.UTC(2020, 0, 1 + index));

describe('IDs', () => {
  it('assigns IDs that are strings of 24 lowercase hex digits', async () => {
    const params = { id: unknownId, created_at: '2001-01-01T00:00:00.000Z' };
    const bodies = await Promise.all([
      api.post('/v3/edit/urls', { ...params, host: newHost() }),
      api.post('/v3/edit/url_groups', { ...params, name: 'Staging' }),
      api.post('/v3/edit/properties', { ...params, name: `P ${++count}`, description: 'Any', kind: 'profile' }),
    ]);
    for (const { body } of bodies) {
      const { id, created_at } = Object.values(body)[0] as { id: string; created_at: string };
      expect(id).toMatch(/^[0-9a-f]{24}$/);
      expect(id).not.toBe(unknownId);
      expect(created_at).not.toBe(params.created_at);
    }
  });

  it('starts an ID with the Unix second of creation', async () => {
    const before = Date.now();
    const resources = [await addUrl(), await addUrlGroup(), await addProperty()];
    for (const { id, created_at } of resources) {
      expect(Number.parseInt(id.slice(0, 8), 16)).toBe(Math.floor(Date.parse(created_at) / 1000));
      expect(Date.parse(created_at)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(created_at)).toBeLessThanOrEqual(Date.now());
    }
  });

  it.each([
    ['stands still', () => 1_700_000_000_000],
    ['runs', Date.now],
    ['steps back', steppingBack()],
  ])('creates strictly increasing IDs while the clock %s', (_, now) => {
    const newId = createIdSource(now);
    const ids = Array.from({ length: 150_000 }, () => newId());
    expect(ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? ''))).toBe(true);
  });

  it('orders IDs by creation', async () => {
    const as = await newAccount();
    const ids: string[] = [];
    for (let index = 0; index < 10; index++) ids.push((await addUrl({}, as)).id);
    expect(ids.toSorted()).toEqual(ids);
    const { body } = await api.get('/v3/edit/urls', { as });
    expect(body.urls.map(({ id }: { id: string }) => id)).toEqual(ids.toReversed());
  });

  it('creates different IDs for many concurrent requests', async () => {
    const urls = await Promise.all(Array.from({ length: 50 }, () => addUrl()));
    expect(new Set(urls.map(({ id }) => id)).size).toBe(50);
  });
});

describe('timestamps', () => {
  it('writes ISO 8601 timestamps in UTC with milliseconds in every response', async () => {
    const archived_at = '2029-04-07T14:18:00+02:00';
    const url = await addUrl({ archived_at });
    const group = await api.patch(`/v3/edit/url_groups/${(await addUrlGroup()).id}`, { archived_at });
    const property = await addProperty();
    expect(url.archived_at).toBe('2029-04-07T12:18:00.000Z');
    expect(group.body.url_group.archived_at).toBe('2029-04-07T12:18:00.000Z');
    for (const { created_at, updated_at } of [url, group.body.url_group, property]) {
      expect(created_at).toMatch(timestamp);
      expect(updated_at).toMatch(timestamp);
    }
  });
});

describe('parameters', () => {
  it('merges the parameters of the query and the body', async () => {
    expect(await echo.read('number=1', { body: '{"text":"a"}' })).toEqual({ number: 1, text: 'a' });
  });

  it('prefers parameters of the body over those of the query', async () => {
    expect(await echo.read('text=query&number=1', { body: '{"text":"body"}' })).toEqual({ text: 'body', number: 1 });
    expect(await echo.read('text=query', { body: 'text=form', headers: form })).toEqual({ text: 'form' });
  });

  it('prefers parameters of the path over those of the body and the query', async () => {
    const [mine, other] = [await addUrl(), await addUrl()];
    const { body } = await api.patch(`/v3/edit/urls/${mine.id}`, { id: other.id, enabled: 'off' });
    expect(body.url).toMatchObject({ id: mine.id, enabled: 'off' });
    expect((await api.get(`/v3/edit/urls/${mine.id}?id=${other.id}`)).body.url.id).toBe(mine.id);
    expect((await api.get(`/v3/edit/urls/${other.id}`)).body).toEqual({ url: other });
  });

  it('ignores unknown parameters', async () => {
    expect(await echo.read('nothing=1&x[y][]=2', { body: '{"else":{"a":[1]},"__proto__":{"text":"a"}}' })).toEqual({});
    const { status } = await api.get('/v3/edit/urls?page=2&sort[]=host&utm_source=mail');
    expect(status).toBe(200);
  });

  it.each([
    ['expand[profile]=all', { expand: { profile: 'all' } }],
    ['expand[profile]=all&expand[company]=skip', { expand: { profile: 'all', company: 'skip' } }],
    ['expand%5Bprofile%5D=all', { expand: { profile: 'all' } }],
    ['expand.profile=all&expand.company=min', { expand: { profile: 'all', company: 'min' } }],
    ['expand.profile=all&expand[company]=min', { expand: { profile: 'all', company: 'min' } }],
    ['expand={"profile":"all"}', { expand: { profile: 'all' } }],
    ['topics[]=a&topics[]=b', { topics: ['a', 'b'] }],
    ['topics%5B%5D=a', { topics: ['a'] }],
    ['topics[0]=a&topics[1]=b', { topics: ['a', 'b'] }],
    ['topics=a&topics=b', { topics: ['a', 'b'] }],
    ['topics=a,b', { topics: ['a', 'b'] }],
    ['topics=a', { topics: ['a'] }],
    ['topics=["a,b","c"]', { topics: ['a,b', 'c'] }],
    ['number=12', { number: 12 }],
    ['number=-12', { number: -12 }],
    ['flag=true', { flag: true }],
    ['flag=false', { flag: false }],
    ['text=12', { text: '12' }],
    ['text=true', { text: 'true' }],
    ['text=a,b', { text: 'a,b' }],
    ['text=a+b%20c%2Bd', { text: 'a b c+d' }],
    ['text=%F0%9F%98%80', { text: '😀' }],
    ['&&text=a&', { text: 'a' }],
  ])('parses the parameters %s in the URL or in a form', async (written, parsed) => {
    expect(await echo.read(written.replaceAll('"', '%22'))).toEqual(parsed);
    expect(await echo.read('', { body: written, headers: form })).toEqual(parsed);
    expect(await echo.read('', { body: written, headers: form, method: 'GET' })).toEqual(parsed);
  });

  it.each([
    ['{"number":12,"flag":true}', { number: 12, flag: true }],
    ['{"number":"12","flag":"false"}', { number: 12, flag: false }],
    ['{"topics":"a,b"}', { topics: ['a', 'b'] }],
    ['{"topics":["a,b"]}', { topics: ['a,b'] }],
    ['{"expand":{"profile":"all","nothing":1}}', { expand: { profile: 'all' } }],
  ])('parses the parameters %s in JSON', async (body, parsed) => {
    expect(await echo.read('', { body, headers: json })).toEqual(parsed);
  });

  it.each([
    ['number', '"abc"'],
    ['number', '"12.5"'],
    ['number', '1.5'],
    ['number', '""'],
    ['number', 'null'],
    ['number', '[1]'],
    ['flag', '"yes"'],
    ['flag', '1'],
    ['flag', '""'],
    ['text', '12'],
    ['text', '["a"]'],
    ['text', '{}'],
    ['topics', '12'],
    ['topics', '{"a":"b"}'],
    ['topics', '[1]'],
    ['expand', '"all"'],
    ['expand', '["all"]'],
    ['expand', '{"profile":"some"}'],
  ])('rejects a wrong parameter by its name: %s is %s', async (name, value) => {
    const { status, messages } = await echo.read('', { body: `{"${name}":${value}}` });
    expect(status).toBe(422);
    expect(messages).toEqual([expect.stringMatching(new RegExp(`^\`${name}[^\`]*\` must be `))]);
  });

  it.each(['text=%', 'text=%ff', '%zz=1', 'text=a&text[x]=b', 'expand=all&expand[profile]=all'])(
    'rejects parameters that cannot be decoded: %s',
    async (query) => {
      expect((await echo.read(query)).status).toBe(422);
    },
  );
});

describe('bodies', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/vnd.api+json',
    'application/x-www-form-urlencoded',
    'text/plain;charset=UTF-8',
    'text/html',
    'application/octet-stream',
    'application/xml',
    'nonsense',
    ';;;',
    'a/b/c; d=',
  ])('parses a JSON body although the Content-Type is %s', async (type) => {
    const body = '{"text":"a=b&c","number":1}';
    const headers = { 'Content-Type': type };
    for (const method of methods)
      expect(await echo.read('', { method, body, headers })).toEqual({ text: 'a=b&c', number: 1 });
  });

  it('parses a JSON body without a Content-Type', async () => {
    for (const method of methods) expect(await echo.read('', { method, body: '{"number":1}' })).toEqual({ number: 1 });
  });

  it('parses a JSON body that starts with spaces or a byte order mark', async () => {
    expect(await echo.read('', { body: ' \r\n\t{"number":1}\n', headers: form })).toEqual({ number: 1 });
    expect(await echo.read('', { body: '\uFEFF{"number":1}', headers: json })).toEqual({ number: 1 });
  });

  it.each([form['Content-Type'], 'text/plain', 'nonsense'])(
    'parses a form body with the Content-Type %s',
    async (type) => {
      const body = 'text=a+b&number=12&flag=true&topics[]=x&topics[]=y&expand[profile]=all';
      const parsed = { text: 'a b', number: 12, flag: true, topics: ['x', 'y'], expand: { profile: 'all' } };
      expect(await echo.read('', { body, headers: { 'Content-Type': type } })).toEqual(parsed);
    },
  );

  it('parses the fields of a multipart form and ignores its files', async () => {
    const fields = new FormData();
    fields.set('text', 'a & b = ü\n');
    fields.set('number', '12');
    fields.append('topics[]', 'x');
    fields.append('topics[]', 'y');
    fields.set('expand[profile]', 'all');
    fields.set('flag', new Blob(['true']), 'flag.txt');
    const multipart = new Response(fields);
    const headers = { 'Content-Type': multipart.headers.get('content-type') ?? '' };
    const body = Buffer.from(await multipart.arrayBuffer());
    const { text, ...rest } = await echo.read('', { body, headers });
    expect(text.replace('\r', '')).toBe('a & b = ü\n');
    expect(rest).toEqual({ number: 12, topics: ['x', 'y'], expand: { profile: 'all' } });
  });

  it.each(methods)('accepts an empty body with a JSON Content-Type on %s', async (method) => {
    expect(await echo.read('number=1', { method, headers: json })).toEqual({ number: 1 });
    expect(await echo.read('number=1', { method, headers: json, body: ' \n' })).toEqual({ number: 1 });
  });

  it('accepts an empty body with a JSON Content-Type on every endpoint', async () => {
    const { id } = await addUrl();
    expect((await api.send('GET', '/', { headers: json })).status).toBe(200);
    expect((await api.send('POST', '/', { headers: json, body: '' })).status).toBe(200);
    expect((await api.send('GET', '/v3/edit/urls', { headers: json })).status).toBe(200);
    expect((await api.send('PATCH', `/v3/edit/urls/${id}`, { headers: json })).status).toBe(200);
    expect((await api.send('PUT', `/v3/edit/urls/${id}`, { headers: json, body: '' })).status).toBe(200);
    expect((await api.send('DELETE', `/v3/edit/urls/${id}`, { headers: json })).status).toBe(405);
    const created = await api.send('POST', '/v3/edit/urls', { headers: json, query: `host=${newHost()}` });
    expect(created.status).toBe(201);
  });

  it('parses the body of a GET like that of other methods', async () => {
    const as = await newAccount();
    await seedUrls(as, days(3));
    const headers = { ...json, 'X-Account-Secret': as.account_secret };
    const { status, text } = await call('GET', '/v3/edit/urls?limit=1', { headers, body: '{"limit":2}' });
    expect(status).toBe(200);
    expect(JSON.parse(text).cursor.limit).toBe(2);
  });

  it.each(['{', '{"a":}', '{"a":1', "{'a':1}", '{"a":1}}', '[1', '{"a":undefined}', '{"a":"\\ud"}'])(
    'rejects malformed JSON: %s',
    async (body) => {
      for (const headers of [json, form]) {
        const { status, messages } = await echo.read('', { body, headers });
        expect(status).toBe(422);
        expect(messages).toEqual(['The body is not valid JSON']);
      }
    },
  );

  it.each(['[]', '[{"text":"a"}]', '"text"', '12', 'true', 'null'])(
    'rejects JSON that is not an object: %s',
    async (body) => {
      const { status, messages } = await echo.read('', { body, headers: json });
      expect(status).toBe(422);
      expect(messages).toEqual(['The body must be a JSON object']);
    },
  );

  it.each([
    ['not text', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), json],
    ['no known form', Buffer.from('just words'), { 'Content-Type': 'text/plain' }],
    ['broken multipart', Buffer.from('--x\r\nnothing'), { 'Content-Type': 'multipart/form-data; boundary=x' }],
    ['multipart without a boundary', Buffer.from('--x--'), { 'Content-Type': 'multipart/form-data' }],
    ['nested too deep', Buffer.from(`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`), json],
    ['nested absurdly deep', Buffer.from('['.repeat(500_000) + ']'.repeat(500_000)), json],
  ])('rejects a body that is %s', async (_, body, headers) => {
    expect((await echo.read('', { body, headers })).status).toBe(422);
  });

  it('accepts a body of 1 MB and rejects one more byte', async () => {
    const start = '{"name":"Large","pad":"';
    const body = `${start}${'x'.repeat(1024 * 1024 - start.length - 2)}"}`;
    expect(Buffer.byteLength(body)).toBe(1024 * 1024);
    expect((await api.post('/v3/edit/url_groups', body, { headers: json })).status).toBe(201);
    const { status, body: error } = await api.post('/v3/edit/url_groups', `${body} `, { headers: json });
    expect(status).toBe(413);
    expect(error.messages).toEqual([expect.stringContaining('1 MB')]);
  });

  it.each(['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'rejects a body of 10 MB with the Content-Type %s',
    async (type) => {
      const body = Buffer.alloc(10 * 1024 * 1024, 'a');
      const response = await api.post('/v3/edit/url_groups', body, { headers: { 'Content-Type': type } });
      expect(response.status).toBe(413);
      expect(response.body.code).toBe(413);
    },
  );
});

describe('PUT and PATCH', () => {
  it('has PUT wherever it has PATCH, with the same effect', () => {
    const changing = routes.filter((one) => one.methods.includes('PATCH') || one.methods.includes('PUT'));
    expect(changing.length).toBeGreaterThan(2);
    for (const { methods } of changing) expect([...methods].sort()).toEqual(['PATCH', 'PUT']);
  });

  it('changes only the given fields with PUT and PATCH', async () => {
    for (const method of ['PUT', 'PATCH']) {
      const url = await addUrl({ enabled: 'off', archived_at: '2029-04-07' });
      const { body } = await api.send(method, `/v3/edit/urls/${url.id}`, { body: { enabled: 'on' } });
      expect(body.url).toEqual({ ...url, enabled: 'on', updated_at: body.url.updated_at });
    }
  });
});

describe('errors', () => {
  const cases: [number, string, () => Promise<{ status: number; text: string; headers: Headers }>][] = [
    [403, 'no secret', () => api.get('/', { as: null })],
    [404, 'no such endpoint', () => api.get('/v3/edit/nothing')],
    [404, 'no such ID', () => api.get(`/v3/edit/urls/${unknownId}`)],
    [409, 'a conflict', async () => api.post('/v3/edit/urls', { host: (await addUrl()).host })],
    [413, 'too large a body', () => api.post('/', Buffer.alloc(2 * 1024 * 1024))],
    [422, 'a wrong parameter', () => api.post('/v3/edit/urls', { host: 'a b' })],
  ];
  it.each(cases)(
    'returns %s for %s with a code and messages in JSON, and the wrong parameters',
    async (code, _, send) => {
      const { status, text, headers } = await send();
      expect(status).toBe(code);
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      const errors = code === 422 ? ',"errors":\\[\\{"param":"host","problem":"[^\\]]+"\\}\\]' : '';
      expect(text).toMatch(new RegExp(`^\\{"code":${code},"messages":\\["[^\\]]+"\\]${errors}\\}$`));
    },
  );

  it('names the wrong parameter and says what to do', async () => {
    const { status, body } = await api.post('/v3/edit/urls', { enabled: 'yes', url_group_id: 'x', unlisted: 1 });
    expect(status).toBe(422);
    expect(body.messages).toEqual([
      '`host` is required: give the fully qualified domain, such as `app.example.com`',
      '`enabled` must be one of `off`, `on`, `subdomain`, or a boolean, not "yes"',
      '`unlisted` must be `true` or `false`, not 1',
      '`url_group_id` must be an ID: 24 lowercase hex digits, not "x"',
    ]);
    expect(body.errors).toEqual([
      { param: 'host', problem: 'is required: give the fully qualified domain, such as `app.example.com`' },
      { param: 'enabled', problem: 'must be one of `off`, `on`, `subdomain`, or a boolean, not "yes"' },
      { param: 'unlisted', problem: 'must be `true` or `false`, not 1' },
      { param: 'url_group_id', problem: 'must be an ID: 24 lowercase hex digits, not "x"' },
    ]);
  });

  it.each([
    ['GET', '/nowhere'],
    ['GET', '/v3'],
    ['GET', '/v3/edit'],
    ['GET', '/v2/edit/urls'],
    ['GET', '/v3/observe/urls'],
    ['GET', '/v3/edit/urls/'],
    ['GET', `/v3/edit/urls/${unknownId}/more`],
    ['GET', '/%'],
    ['GET', '/v3/edit/urls/%zz'],
    ['GET', '/..%2f..%2fetc/passwd'],
  ])('returns 404 for the unknown endpoint %s %s', async (method, path) => {
    expect((await api.send(method, path)).status).toBe(404);
  });

  it.each(
    ['', `/${unknownId}`, `/${unknownId}/changes`, `/${unknownId}/steps/${unknownId}/buttons`, '/i18n.json'].flatMap(
      (rest) => ['/v3/edit/nothing_here', '/v3/analyze/nothing_here'].map((start) => start + rest),
    ),
  )('returns 404 for the unknown path %s with any method, secret and body', async (path) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
      for (const as of [undefined, null, { account_secret: 'wrong' }])
        for (const body of method === 'GET' ? [undefined] : [undefined, {}, { name: 5, steps: 'x' }, '{broken'])
          expect([method, (await api.send(method, path, { ...(as !== undefined && { as }), body })).status]).toEqual([
            method,
            404,
          ]);
  });

  it('returns 404 for Steps of a launcher with any request', async () => {
    for (const body of [{}, { title: 5 }, '{broken'])
      expect((await api.post(`/v3/edit/launchers/${unknownId}/steps`, body)).status).toBe(404);
  });

  it.each([
    ['DELETE', '/v3/edit/urls', 'GET, HEAD, POST'],
    ['POST', `/v3/edit/urls/${unknownId}`, 'GET, HEAD, PATCH, PUT'],
    ['PUT', '/', 'GET, HEAD, POST'],
    ['GET', '/v3/observe/visits', 'OPTIONS, POST'],
    ['POST', `/v3/edit/tours/${unknownId}/changes`, 'GET, HEAD'],
    ['OPTIONS', '/v3/edit/tours', 'GET, HEAD, POST'],
    ['POST', '/healthz', 'GET, HEAD'],
  ])('returns 405 for %s %s with the methods %s in Allow', async (method, path, allow) => {
    for (const as of [api.account, null]) {
      const sent = method === 'GET' ? {} : { body: '{broken' };
      const { status, headers, body } = await api.send(method, path, { as, ...sent });
      expect([status, headers.get('allow'), body]).toEqual([
        405,
        allow,
        { code: 405, messages: [`Use ${allow} here`] },
      ]);
    }
  });

  const byId: [string, string, () => Promise<{ id: string }>][] = [
    ['GET', '/v3/edit/urls', () => addUrl({}, api.other)],
    ['PUT', '/v3/edit/urls', () => addUrl({}, api.other)],
    ['PATCH', '/v3/edit/urls', () => addUrl({}, api.other)],
    ['GET', '/v3/edit/url_groups', () => addUrlGroup(api.other)],
    ['PUT', '/v3/edit/url_groups', () => addUrlGroup(api.other)],
    ['PATCH', '/v3/edit/url_groups', () => addUrlGroup(api.other)],
    ['PUT', '/v3/edit/properties', () => addProperty(api.other)],
    ['PATCH', '/v3/edit/properties', () => addProperty(api.other)],
  ];
  it.each(byId)('returns the same 404 on %s %s for an unknown ID and for an ID of another account', async (...one) => {
    const [method, path, foreign] = one;
    const unknown = await api.send(method, `${path}/${unknownId}`);
    const other = await api.send(method, `${path}/${(await foreign()).id}`);
    expect(unknown.status).toBe(404);
    expect(other.status).toBe(404);
    expect(other.text).toBe(unknown.text);
    const ofEachRequest = ['date', 'x-request-id', 'x-ratelimit-remaining'];
    const named = ({ headers }: { headers: Headers }) => [...headers].filter(([name]) => !ofEachRequest.includes(name));
    expect(named(other)).toEqual(named(unknown));
  });

  it.each([
    'x',
    'F'.repeat(24),
    '0'.repeat(23),
    '0'.repeat(25),
    '%00',
    '%F0%9F%98%80',
    "'%20or%201=1",
    'x'.repeat(400),
  ])('returns 404 for the malformed ID %s', async (id) => {
    for (const path of ['/v3/edit/urls', '/v3/edit/url_groups', '/v3/edit/properties'])
      expect((await api.patch(`${path}/${id}`, {})).status).toBe(404);
  });

  it('returns 409 for a conflict with an existing object', async () => {
    const { host } = await addUrl();
    expect((await api.post('/v3/edit/urls', { host })).status).toBe(409);
    const property = { name: `P ${++count}`, description: 'Any', kind: 'event' };
    await api.post('/v3/edit/properties', property);
    expect((await api.post('/v3/edit/properties', property)).status).toBe(409);
  });

  it('returns 503 while the storage is unavailable and works again afterwards', async () => {
    let unavailable = false;
    const storage: Api['app']['storage'] = {
      ...api.app.storage,
      reader: (accountId) => {
        if (unavailable) throw storageError();
        return api.app.storage.reader(accountId);
      },
    };
    const httpApp = createApp({ ...api.app, storage }, readSettings({}), createLog('silent'));
    const url = await httpApp.listen({ host: '127.0.0.1', port: 0 });
    const send = () => fetch(url, { headers: { 'X-Account-Secret': api.account.account_secret } });
    unavailable = true;
    const rejected = await send();
    unavailable = false;
    const accepted = await send();
    await httpApp.close();
    expect(rejected.status).toBe(503);
    expect(await rejected.json()).toEqual({ code: 503, messages: [expect.stringContaining('try again')] });
    expect(accepted.status).toBe(200);
  });

  const strange: unknown[] = [
    null,
    true,
    -1,
    1e308,
    '',
    ' ',
    '\0',
    '\ud800',
    "'; drop table urls; --",
    '$now',
    '+999999999w',
    'a'.repeat(5000),
    [],
    [[]],
    {},
    { __proto__: null, toString: 'x', constructor: { prototype: 1 } },
  ];
  it.each(routes.flatMap((one) => one.methods.map((method) => [method, one.path] as const)))(
    'never returns 500 on %s %s',
    async (method, path) => {
      const { parameters } = routes.find((one) => one.path === path && one.methods.includes(method)) ?? {};
      const names = [...Object.keys(parameters?.properties ?? {}), '__proto__', 'id'];
      const bodies = names.flatMap((name) =>
        strange.map((value) => `{${JSON.stringify(name)}:${JSON.stringify(value)}}`),
      );
      const id = path.includes('url_groups') ? (await addUrlGroup()).id : (await addUrl()).id;
      const statuses = await Promise.all(
        bodies.map(async (body) => (await call(method, path.replace(':id', id), { body })).status),
      );
      expect(statuses.filter((status) => status === undefined || status >= 500)).toEqual([]);
    },
  );
});

describe('pages', () => {
  const page = async (as: CreatedAccount, query: string) => {
    const { status, body } = await api.get('/v3/edit/urls', { as, query });
    expect(status).toBe(200);
    return { ids: body.urls.map(({ id }: { id: string }) => id), cursor: body.cursor };
  };

  it('returns 50 items on a page by default', async () => {
    const as = await newAccount();
    const ids = await seedUrls(as, days(51));
    const { ids: first, cursor } = await page(as, '');
    expect(first).toEqual(ids.slice(1).toReversed());
    expect(cursor).toEqual({ limit: 50, before: ids[1] });
  });

  it('returns at most 500 items on a page', async () => {
    const as = await newAccount();
    const ids = await seedUrls(as, days(502));
    for (const limit of [500, 501, 100_000, '99999999999999999999']) {
      const { ids: first, cursor } = await page(as, `limit=${limit}`);
      expect(first).toHaveLength(500);
      expect(cursor).toEqual({ limit: 500, before: ids[2] });
    }
  });

  it.each(['0', '-1', '1.5', 'abc', '', '1e2', '0x10', '١٢', 'NaN', 'Infinity', '12 3', '-0'])(
    'rejects the limit %j',
    async (limit) => {
      for (const path of ['/v3/edit/urls', '/v3/edit/url_groups']) {
        const { status, body } = await api.get(path, { query: `limit=${encodeURIComponent(limit)}` });
        expect(status).toBe(422);
        expect(body.messages).toEqual([expect.stringMatching(/^`limit` must be a whole number of 1 or more/)]);
      }
    },
  );

  it('accepts a limit as a number or as text', async () => {
    const as = await newAccount();
    await seedUrls(as, days(3));
    expect((await page(as, 'limit=2')).ids).toHaveLength(2);
    const headers = { ...json, 'X-Account-Secret': as.account_secret };
    for (const body of ['{"limit":2}', '{"limit":"2"}'])
      expect(JSON.parse((await call('GET', '/v3/edit/urls', { headers, body })).text).urls).toHaveLength(2);
  });

  it('pages by cursor.before from the newest item until the cursor is null', async () => {
    const as = await newAccount();
    const ids = await seedUrls(as, days(5));
    const newest = ids.toReversed();
    expect(await page(as, 'limit=2')).toEqual({ ids: newest.slice(0, 2), cursor: { limit: 2, before: newest[1] } });
    expect(await page(as, `limit=2&before=${newest[1]}`)).toEqual({
      ids: newest.slice(2, 4),
      cursor: { limit: 2, before: newest[3] },
    });
    expect(await page(as, `limit=2&before=${newest[3]}`)).toEqual({
      ids: newest.slice(4),
      cursor: { limit: 2, before: null },
    });
  });

  it('returns a null cursor after a last page that is exactly full', async () => {
    const as = await newAccount();
    const ids = await seedUrls(as, days(4));
    expect((await page(as, 'limit=4')).cursor).toEqual({ limit: 4, before: null });
    expect((await page(as, `limit=2&before=${ids[2]}`)).cursor).toEqual({ limit: 2, before: null });
    expect((await page(as, 'limit=3')).cursor).toEqual({ limit: 3, before: ids[1] });
  });

  it('returns an empty page beyond the end', async () => {
    const as = await newAccount();
    const ids = await seedUrls(as, days(2));
    expect(await page(as, `before=${ids[0]}`)).toEqual({ ids: [], cursor: { limit: 50, before: null } });
    expect(await page(as, `after=${ids[1]}`)).toEqual({ ids: [], cursor: { limit: 50, before: null } });
  });

  it.each([
    ['2020-01-03T00:00:00.000Z', [2, 1]],
    ['2020-01-03T01:00:00+01:00', [2, 1]],
    ['2020-01-03T00:00:00.001Z', [3, 2, 1]],
    ['2020-01-03 00:00:00', [2, 1]],
    ['2020-01-03', [2, 1]],
    ['1578009600', [2, 1]],
    ['$now', [5, 4, 3, 2, 1]],
    ['+1d', [5, 4, 3, 2, 1]],
    ['2999-01-01', [5, 4, 3, 2, 1]],
    ['1970-01-01', []],
  ])('lists with before=%s what was created before that time', async (before, expected) => {
    const as = await newAccount();
    const ids = await seedUrls(as, days(5));
    const { ids: found } = await page(as, `before=${encodeURIComponent(before)}`);
    expect(found).toEqual(expected.map((day) => ids[day - 1]));
  });

  it.each([
    ['2020-01-03T00:00:00.000Z', [5, 4]],
    ['2020-01-02T23:59:59.999Z', [5, 4, 3]],
    ['2020-01-03', [5, 4]],
    ['1578009600', [5, 4]],
    ['1970-01-01', [5, 4, 3, 2, 1]],
    ['$now', []],
    ['9999-12-31T23:59:59.999Z', []],
  ])('lists with after=%s what was created after that time', async (after, expected) => {
    const as = await newAccount();
    const ids = await seedUrls(as, days(5));
    const { ids: found } = await page(as, `after=${encodeURIComponent(after)}`);
    expect(found).toEqual(expected.map((day) => ids[day - 1]));
  });

  it('lists with after=<id> what was created after that object', async () => {
    const as = await newAccount();
    const ids = await seedUrls(as, days(5));
    expect((await page(as, `after=${ids[2]}`)).ids).toEqual([ids[4], ids[3]]);
  });

  it('stops at the newest known item when before and after are given', async () => {
    const as = await newAccount();
    const ids = await seedUrls(as, days(6));
    const known = ids[1];
    const first = await page(as, `limit=2&after=${known}`);
    expect(first).toEqual({ ids: [ids[5], ids[4]], cursor: { limit: 2, before: ids[4] } });
    const second = await page(as, `limit=2&after=${known}&before=${ids[4]}`);
    expect(second).toEqual({ ids: [ids[3], ids[2]], cursor: { limit: 2, before: null } });
  });

  it('neither repeats nor loses items when new ones are created between two pages', async () => {
    const as = await newAccount();
    const ids = await seedUrls(as, days(4));
    const first = await page(as, 'limit=2');
    await addUrl({}, as);
    const second = await page(as, `limit=2&before=${first.cursor.before}`);
    expect([...first.ids, ...second.ids]).toEqual(ids.toReversed());
  });

  it.each(['yesterday', '', '-', 'F'.repeat(24), '0'.repeat(23), '2020-13-01', '2020-02-30', '-1', 'null', '[1]'])(
    'rejects %j as a cursor',
    async (place) => {
      for (const name of ['before', 'after']) {
        const { status, body } = await api.get('/v3/edit/urls', { query: `${name}=${encodeURIComponent(place)}` });
        expect(status).toBe(422);
        expect(body.messages).toEqual([expect.stringMatching(new RegExp(`^\`${name}\` must be `))]);
      }
    },
  );
});

describe('responses', () => {
  it('puts the collection first and the cursor last', async () => {
    const [urls, groups] = [await api.get('/v3/edit/urls?limit=1'), await api.get('/v3/edit/url_groups?limit=1')];
    expect(Object.keys(urls.body)).toEqual(['urls', 'cursor']);
    expect(Object.keys(groups.body)).toEqual(['url_groups', 'urls', 'cursor']);
    expect(Object.keys(urls.body.cursor)).toEqual(['limit', 'before']);
  });

  it('names one object in the singular and a list in the plural', async () => {
    const { id } = await addUrl();
    expect(Object.keys((await api.get(`/v3/edit/urls/${id}`)).body)).toEqual(['url']);
    expect(Object.keys((await api.post('/v3/edit/urls/batch', { ids: [id] })).body)).toEqual(['urls']);
    const group = await addUrlGroup();
    expect(Object.keys((await api.get(`/v3/edit/url_groups/${group.id}`)).body)).toEqual(['url_group', 'url']);
    expect(Object.keys((await api.get('/v3/edit/properties?kind=profile')).body)).toEqual(['properties']);
    const property = await addProperty();
    expect(Object.keys((await api.patch(`/v3/edit/properties/${property.id}`, {})).body)).toEqual(['property']);
  });

  it('returns null for documented fields without a value', async () => {
    const nulls = (resource: object) =>
      Object.entries(resource)
        .filter(([, value]) => value === null)
        .map(([name]) => name);
    expect(nulls(await addUrl())).toEqual([
      'url_group_id',
      'installed_at',
      'first_seen_at',
      'last_seen_at',
      'archived_at',
    ]);
    expect(nulls(await addUrlGroup())).toEqual(['archived_at', 'description', 'short_name', 'style_short_name_color']);
    expect(nulls(await addProperty())).toEqual(['integration', 'last_seen_at']);
  });

  it('starts every resource with id, created_at and updated_at', async () => {
    for (const resource of [await addUrl(), await addUrlGroup(), await addProperty()])
      expect(Object.keys(resource).slice(0, 3)).toEqual(['id', 'created_at', 'updated_at']);
  });

  it('returns JSON that caches must not store', async () => {
    for (const path of ['/', '/v3/edit/urls', '/v3/edit/url_groups', '/v3/edit/properties?kind=profile', '/nowhere']) {
      const { headers } = await api.get(path);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });
});

describe('paths', () => {
  it('has only paths that start with v3 and then edit, observe or analyze, or are for signing in', async () => {
    const { body } = await api.get('/openapi.json');
    const paths = Object.keys(body.paths).filter((path) => path !== '/');
    expect(paths.length).toBeGreaterThan(5);
    expect(paths.filter((path) => !/^\/v3\/((edit|observe|analyze)\/[\w{]|sessions?|person|links)/.test(path))).toEqual(
      [],
    );
  });

  it('serves every path under the base URL, and only with a secret or a cookie', async () => {
    const { body } = await api.get('/openapi.json');
    const operations = Object.entries(body.paths).flatMap(([path, item]) =>
      Object.keys(item as object).map(
        (method) => [method.toUpperCase(), path.replace('{kind}', 'tours').replace('{id}', unknownId)] as const,
      ),
    );
    expect(operations.length).toBeGreaterThan(10);
    for (const [method, path] of operations) {
      const { status } = await api.send(method, path, { as: null });
      expect(`${method} ${path}: ${status}`).toBe(`${method} ${path}: ${withoutSecret(method, path)}`);
    }
  });

  it('writes URLs with the public base URL', async () => {
    const { get } = await startApi({ env: { USHER_PUBLIC_URL: 'https://usher.example.com/' } });
    expect((await get('/openapi.json')).body.servers).toEqual([{ url: 'https://usher.example.com' }]);
  });
});

describe('HTTPS', () => {
  it('requires HTTPS of every other machine when the operator turns that on', async () => {
    const env = { USHER_REQUIRE_HTTPS: 'true', USHER_TRUST_PROXY: 'true' };
    const { get } = await startApi({ env });
    const from = { 'X-Forwarded-For': '203.0.113.9' };
    const plain = await get('/', { headers: { ...from, 'X-Forwarded-Proto': 'http' } });
    const silent = await get('/', { headers: from });
    const safe = await get('/', { headers: { ...from, 'X-Forwarded-Proto': 'https' } });
    const local = await get('/');
    expect([plain, silent, safe, local].map(({ status }) => status)).toEqual([403, 403, 200, 200]);
    expect(plain.body.messages).toEqual([expect.stringContaining('https://')]);
  });

  it('does not require HTTPS by default', async () => {
    const { get } = await startApi({ env: { USHER_TRUST_PROXY: 'true' } });
    const { status } = await get('/', { headers: { 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Proto': 'http' } });
    expect(status).toBe(200);
  });
});

describe('secrets', () => {
  const rootWith = (account_secret: string) => api.get('/', { as: { account_secret } });
  const newSecret = () => createSecret(api.app, { accountId: api.account.account_id, name: 'test' });

  /** Every row of every table, as text. */
  async function everything(): Promise<string> {
    const accounts = await listAccounts(api.app);
    const rows: unknown[] = [];
    for (const [table, holder] of Object.entries(tables)) {
      if (holder === 'global')
        rows.push(
          await api.app.storage
            .reader(null)
            .selectFrom(table as 'accounts')
            .selectAll()
            .execute(),
        );
      else
        for (const { account_id } of accounts) {
          const db = api.app.storage.reader(account_id);
          rows.push(
            await db
              .selectFrom(table as 'urls')
              .selectAll()
              .where('account_id', '=', account_id)
              .execute(),
          );
        }
    }
    return JSON.stringify(rows);
  }

  it('accepts each secret of an account', async () => {
    const [first, second] = [await newSecret(), await newSecret()];
    expect(first.account_secret).not.toBe(second.account_secret);
    for (const { account_secret } of [api.account, first, second]) {
      const { status, body } = await rootWith(account_secret);
      expect(status).toBe(200);
      expect(body.account.id).toBe(api.account.account_id);
    }
  });

  it('accepts a secret in the header, in the URL or in the body of any endpoint', async () => {
    const { account_secret } = api.account;
    const query = `account_secret=${account_secret}`;
    expect((await api.get('/v3/edit/urls', { as: null, headers: { 'X-Account-Secret': account_secret } })).status).toBe(
      200,
    );
    expect((await api.get('/v3/edit/urls', { as: null, query })).status).toBe(200);
    expect((await api.post('/v3/edit/urls', { host: newHost(), account_secret }, { as: null })).status).toBe(201);
    expect((await api.post('/v3/edit/urls', `host=${newHost()}&${query}`, { as: null, headers: form })).status).toBe(
      201,
    );
  });

  it.each([
    ['missing', null],
    ['empty', { account_secret: '' }],
    ['wrong', { account_secret: 'usher_secret_wrong' }],
  ])('rejects secrets that are %s on every endpoint', async (_, as) => {
    for (const { methods, path } of routes) {
      for (const method of methods) {
        const filled = path.replace(':kind', 'tours').replace(':id', unknownId);
        const { status } = await api.send(method, filled, { as });
        const expected = as?.account_secret ? 403 : withoutSecret(method, path);
        expect(`${method} ${path}: ${status}`).toBe(`${method} ${path}: ${expected}`);
      }
    }
  });

  it('rejects secrets that are nearly right', async () => {
    const { account_secret } = api.account;
    const { body } = await rootWith('usher_secret_wrong');
    for (const wrong of [account_secret.slice(0, -1), `${account_secret}x`, account_secret.toUpperCase()]) {
      const response = await rootWith(wrong);
      expect(response.status).toBe(403);
      expect(response.body).toEqual(body);
    }
  });

  it('changes nothing when it rejects a secret', async () => {
    const host = newHost();
    await api.post('/v3/edit/urls', { host }, { as: { account_secret: 'usher_secret_wrong' } });
    expect((await api.post('/v3/edit/urls', { host })).status).toBe(201);
  });

  it('rejects a secret from the moment it is revoked', async () => {
    const { id, account_secret } = await newSecret();
    expect((await rootWith(account_secret)).status).toBe(200);
    const { revoked_at } = await revokeSecret(api.app, id);
    expect(revoked_at).toMatch(timestamp);
    const rejected = await rootWith(account_secret);
    expect(rejected.status).toBe(403);
    expect(rejected.text).toBe((await rootWith('usher_secret_wrong')).text);
    expect((await rootWith(api.account.account_secret)).status).toBe(200);
  });

  it('keeps the time of the first revocation', async () => {
    const { id } = await newSecret();
    const first = await revokeSecret(api.app, id);
    expect(await revokeSecret(api.app, id)).toEqual(first);
    expect((await listSecrets(api.app)).find((one) => one.id === id)?.revoked_at).toBe(first.revoked_at);
  });

  it('gives a secret access to its own account only', async () => {
    const [mine, theirs] = [await addUrl(), await addUrl({}, api.other)];
    const { body } = await api.get('/v3/edit/urls?limit=500', { as: api.other });
    const ids = body.urls.map(({ id }: { id: string }) => id);
    expect(ids).toContain(theirs.id);
    expect(ids).not.toContain(mine.id);
    expect((await api.get(`/v3/edit/urls/${mine.id}`, { as: api.other })).status).toBe(404);
  });

  it('stores only the SHA-256 hash of a secret', async () => {
    const { account_secret } = await newSecret();
    await rootWith(account_secret);
    await api.get('/v3/edit/urls', { as: null, query: `account_secret=${account_secret}` });
    const stored = await everything();
    expect(stored).toContain(createHash('sha256').update(account_secret).digest('hex'));
    expect(stored).toContain(api.account.account_token);
    expect(stored).not.toContain(account_secret);
    expect(stored).not.toContain(account_secret.replace('usher_secret_', ''));
  });

  it('shows a secret only when it is created', async () => {
    const { id, account_secret } = await newSecret();
    expect((await rootWith(account_secret)).status).toBe(200);
    const shown = JSON.stringify([await listSecrets(api.app), await listAccounts(api.app)]);
    expect(shown).toContain(id);
    expect(shown).not.toContain(account_secret);
    expect(shown).not.toContain(createHash('sha256').update(account_secret).digest('hex'));
  });

  it('compares secrets in constant time', async () => {
    const { account_secret } = await newSecret();
    const hash = Buffer.from(createHash('sha256').update(account_secret).digest('hex'));
    const compare = vi.spyOn(crypto, 'timingSafeEqual');
    syncBuiltinESMExports();
    try {
      expect((await rootWith(account_secret)).status).toBe(200);
      expect(compare.mock.calls).toEqual([[hash, hash]]);
      compare.mockReturnValueOnce(false);
      expect((await rootWith(account_secret)).status).toBe(403);
    } finally {
      compare.mockRestore();
      syncBuiltinESMExports();
    }
  });

  it('records when a secret was last used', async () => {
    const { id, account_secret } = await newSecret();
    const lastUse = async () => (await listSecrets(api.app)).find((one) => one.id === id)?.last_used_at;
    expect(await lastUse()).toBeNull();
    const before = Date.now();
    await rootWith(account_secret);
    const used = await vi.waitFor(
      async () => {
        const time = await lastUse();
        expect(time).toMatch(timestamp);
        return Date.parse(time ?? '');
      },
      { timeout: 20_000 },
    );
    expect(used).toBeGreaterThanOrEqual(before);
    expect(used).toBeLessThanOrEqual(Date.now());
  });

  it('never logs a secret in a URL', async () => {
    const lines: string[] = [];
    const log = createLog('trace', { write: (text) => void lines.push(...text.trimEnd().split('\n')) });
    let unavailable = false;
    const storage: Api['app']['storage'] = {
      ...api.app.storage,
      write: async (...work) => {
        if (unavailable) throw storageError();
        return api.app.storage.write(...work);
      },
    };
    const httpApp = createApp({ ...api.app, storage }, readSettings({}), log);
    const { account_secret } = api.account;
    const url = await httpApp.listen({ host: '127.0.0.1', port: 0 });
    const send = async (method: 'GET' | 'POST', path: string, body?: string) =>
      (await fetch(`${url}${path}?account_secret=${account_secret}`, { method, ...(body && { body }) })).status;
    const statuses = [
      await send('GET', '/'),
      await send('GET', `/v3/edit/urls/${unknownId}`),
      await send('GET', `/nowhere/${account_secret}`),
      await send('POST', '/v3/edit/url_groups', '{'),
    ];
    unavailable = true;
    statuses.push(await send('POST', '/v3/edit/url_groups', '{"name":"Staging"}'));
    await httpApp.close();
    expect(statuses).toEqual([200, 404, 404, 422, 503]);
    await vi.waitFor(() => expect(lines.filter((line) => line.includes('"msg":"request"'))).toHaveLength(5));
    expect(lines.filter((line) => line.includes('"msg":"request failed"'))).toHaveLength(1);
    expect(lines.join('')).not.toContain(account_secret);
  });
});

describe('administrators', () => {
  const adminOf = async (account_secret: string) => (await createAuthenticate(api.app)(account_secret)).actor;

  it('stores an id, a name, an email and a role for each administrator; the first is the owner', async () => {
    expect(await adminOf(api.account.account_secret)).toMatchObject({ id: api.account.user_id, role: 'owner' });
    const people = api.app.storage
      .reader(null)
      .selectFrom('people')
      .innerJoin('admins', 'admins.person_id', 'people.id');
    const owner = people.select(['people.name', 'people.email']).where('admins.id', '=', api.account.user_id);
    expect(await owner.execute()).toEqual([{ name: 'ann', email: 'ann@acme.test' }]);
  });

  it.each(roles)('gives an administrator with the role %s secrets of their own', async (role) => {
    const { account_id } = await newAccount();
    const email = `${role}${++count}@acme.test`;
    const { user_id: id } = await createAdmin(api.app, { accountId: account_id, name: 'Kim', email, role });
    const made = await createSecret(api.app, { accountId: account_id, email: email.toUpperCase(), name: 'mine' });
    expect(made.user_id).toBe(id);
    expect(await adminOf(made.account_secret)).toMatchObject({ id, role });
    const { body } = await api.get('/', { as: made });
    expect(body).toEqual({ account: { id: account_id }, user: { id } });
  });

  it('assigns a secret to the owner when it is created without an email', async () => {
    const made = await createSecret(api.app, { accountId: api.account.account_id, name: 'unnamed' });
    expect(made.user_id).toBe(api.account.user_id);
    expect((await listSecrets(api.app, api.account.account_id)).find(({ id }) => id === made.id)).toMatchObject({
      account_id: api.account.account_id,
      user_id: api.account.user_id,
    });
  });
});

describe('the account token', () => {
  it('gives each account one public token that is not a secret', async () => {
    const accounts = await listAccounts(api.app);
    expect(accounts).toContainEqual(
      expect.objectContaining({ account_id: api.account.account_id, account_token: api.account.account_token }),
    );
    expect(new Set(accounts.map(({ account_token }) => account_token)).size).toBe(accounts.length);
    expect((await api.get('/', { as: { account_secret: api.account.account_token } })).status).toBe(403);
  });
});
