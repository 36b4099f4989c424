import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import fc, { type Arbitrary } from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { png } from '../../domain/test/pictures.ts';
import { randomRuns } from '../../domain/test/random-runs.ts';
import { pageRoutes, routes } from '../src/app.ts';
import { type CreatedAccount, createAccount } from '../src/features/team/accounts/create-account.ts';
import type { Route } from '../src/http/route.ts';
import type { PageRoute } from '../src/pages/page-route.ts';
import { accountRows } from './account-rows.ts';
import { type Api, newEmail, startApi } from './api.ts';
import { makeDelivery } from './delivery-path.ts';
import { engine } from './engine.ts';
import { formatFor, kindFor, makeExperienceFor } from './experience-path.ts';
import { pictureForm } from './picture-form.ts';
import { storeSession } from './sign-in.ts';
import { visit } from './visiting.ts';

/*
 * Whatever a client sends, the server responds, never with a 5xx, and a rejected request changes nothing. The tests
 * cover every registered endpoint. Few of the random requests reach the database, so PostgreSQL gets fewer of them.
 */
const RUNS = randomRuns(engine === 'sqlite' ? 12 : 3);
/** An account is replaced after this many changes, because all its rows are compared after each write. */
const MAX_CHANGES = 60;
const MAX_RESPONSE_MS = 20_000;
/** A placeholder for an ID of the account in a generated request. */
const OWN_ID = 'abcdefabcdefabcdefabcdef';
/** The IDs in the example of a Delivery, which needs a live tour and a profile that was seen. */
const [MODEL_ID, PROFILE_ID] = ['5fb70dcbc39330000325a818', '5fb70dcbc39330000325a819'];
/** The tokens in the examples of the endpoints for pages. */
const [ACCOUNT_TOKEN, VISIT_TOKEN] = ['the-public-token', 'the-token-of-the-visit'];
/** A placeholder for the path to an Experience of the account, or to a part of one. */
const OWN_PATH = '/own-path';
/** Node rejects longer headers as a whole, which another test checks. */
const MAX_QUERY = 12_000;

type Operation = { method: string; path: string; route: Route | PageRoute };
const operations: Operation[] = [...routes, ...pageRoutes].flatMap((route) =>
  route.methods.map((method) => ({ method, path: route.path, route })),
);
const pagePaths = new Set(pageRoutes.map(({ path }) => path));
const creating = operations.filter(
  ({ method, path, route }) =>
    method === 'POST' && ((route.status === 201 && !path.includes('/:id')) || /hooks\/\w+$/.test(path)),
);

interface Sent {
  method: string;
  path: string;
  headers?: Record<string, string | string[]>;
  body?: Buffer | undefined;
}

interface Received {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

let api: Api;
/** The number of transactions so far that may write. Without a new one, the rows need not be compared again. */
let writes = 0;

function countWrites({ app: { storage } }: Api): void {
  const { write, writeCoalesced } = storage;
  Object.assign(storage, {
    write: (...params: Parameters<typeof write>) => {
      writes++;
      return write(...params);
    },
    writeCoalesced: (...params: Parameters<typeof writeCoalesced>) => {
      writes++;
      return writeCoalesced(...params);
    },
  });
}

const agent = new Agent({ keepAlive: true });
beforeAll(async () => {
  api = await startApi({ inTest: false, env: { USHER_LIMIT_SIGN_INS: '0' } });
  countWrites(api);
});
afterAll(async () => {
  agent.destroy();
  await api.stop();
});

/** Sends what fetch would reject: any path, any header, a body with any method. */
function send({ method, path, headers = {}, body }: Sent): Promise<Received> {
  return new Promise((resolve, reject) => {
    const length = body && !headers['Transfer-Encoding'] ? { 'Content-Length': String(body.length) } : {};
    const outgoing = httpRequest(api.url, {
      method,
      path,
      agent,
      headers: { ...length, ...headers },
      signal: AbortSignal.timeout(MAX_RESPONSE_MS),
    });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('error', reject);
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text: Buffer.concat(chunks).toString(),
        });
      });
    });
    outgoing.end(body);
  });
}

function expectError(text: string, status: number): void {
  const { code, messages, errors = [], ...more } = JSON.parse(text);
  expect(code).toBe(status);
  for (const error of errors) expect(error).toEqual({ param: expect.any(String), problem: expect.any(String) });
  expect(Object.keys(more).filter((key) => status !== 429 || !['wait', 'limit'].includes(key))).toEqual([]);
  expect(messages.length).toBeGreaterThan(0);
  expect(messages.filter((message: unknown) => typeof message !== 'string' || message === '')).toEqual([]);
}

function isOfExperiences(path: string): boolean {
  return /^\/v3\/(edit|analyze)\/(:kind|launchers)/.test(path);
}

/** An account with one object of every kind, and a copy of its rows to compare with. */
class TestAccount {
  readonly account: CreatedAccount;
  /** The status of each `POST` that created an object. */
  created: [string, number][] = [];
  ids: string[] = [];
  /** The path of the endpoint under test, when it is an endpoint of Experiences. */
  path: string | undefined;
  /** The number of accepted requests that changed a row. */
  changes = 0;
  #delivery = { model_id: '', profile_id: '' };
  #visitToken = '';
  #rows: Record<string, string[]> = {};
  #writes = -1;

  constructor(account: CreatedAccount) {
    this.account = account;
  }

  static async create(): Promise<TestAccount> {
    const target = new TestAccount(await createAccount(api.app, { name: 'Target', email: newEmail() }));
    for (const { path, route } of creating) {
      const params =
        'takesFiles' in route && route.takesFiles && !route.example ? pictureForm(png(1, 1)) : route.example;
      const { status } = await api.post(path.replace(':kind', 'tours'), params, { as: target.account });
      target.created.push([path, status]);
    }
    target.#delivery = await makeDelivery(api, target.account);
    target.#visitToken = (await visit(api, { uid: 'target' }, { as: target.account })).body.visit.token;
    await target.findChanges();
    target.ids = [...JSON.stringify(target.#rows).matchAll(/\\"id\\":\\"([0-9a-f]{24})\\"/g)].map(
      ([, id]) => id as string,
    );
    return target;
  }

  /** Reads all rows and returns the tables that have changed since the last call. */
  async findChanges(always = false): Promise<string[]> {
    const before = this.#rows;
    await api.app.failedSignIns.flush();
    if (this.#writes === writes && !always) return [];
    await api.app.propertyRegistry.flush(this.account.account_id);
    this.#writes = writes;
    this.#rows = await accountRows(api.app, this.account.account_id);
    // Rejected requests of pages are counted and logged about a second later, so the counts of an earlier request may
    // appear now.
    const names = Object.keys(this.#rows).filter((name) => name !== 'page_counts' && name !== 'installation_entries');
    return names.filter((name) => this.#rows[name]?.join() !== before[name]?.join());
  }

  /** Replaces the IDs and tokens of the examples by those of this account. */
  fill(text: string): string {
    return text
      .replaceAll(MODEL_ID, this.#delivery.model_id)
      .replaceAll(PROFILE_ID, this.#delivery.profile_id)
      .replaceAll(ACCOUNT_TOKEN, this.account.account_token)
      .replaceAll(VISIT_TOKEN, this.#visitToken);
  }

  get secret(): string {
    return this.account.account_secret;
  }

  /** The headers that authenticate a request to the endpoint: the secret, a new session, or nothing. */
  async headersFor({ route }: Operation): Promise<Record<string, string>> {
    const { forSession = false, runOpen = undefined } = 'runOpen' in route || 'forSession' in route ? route : {};
    if (!forSession && !runOpen) return { 'X-Account-Secret': this.secret };
    const fromPage = { 'Sec-Fetch-Site': 'same-origin' };
    return forSession ? { ...fromPage, Cookie: `usher_session=${await this.#newSession()}` } : fromPage;
  }

  async #newSession(): Promise<string> {
    const { account_id, user_id } = this.account;
    const admins = api.app.storage.reader(null).selectFrom('admins').select('person_id').where('id', '=', user_id);
    const { person_id } = await admins.executeTakeFirstOrThrow();
    return storeSession(api, person_id, account_id);
  }

  /** Creates an Experience if the endpoint needs one. */
  async aimAt({ path }: Operation): Promise<this> {
    this.path = undefined;
    if (!isOfExperiences(path)) return this;
    const inPath = await makeExperienceFor(api, path, this.account);
    await this.findChanges();
    this.path = path.replace(/:(\w+)/g, (_, name: string) => inPath[name] ?? '');
    return this;
  }

  /** Returns the path of an endpoint with the ID of an object that the endpoint accepts. */
  async pathOf(operation: Operation): Promise<string> {
    const { path: own } = await this.aimAt(operation);
    if (own) return own;
    const { method, path, route } = operation;
    const headers = await this.headersFor(operation);
    const body = Buffer.from(JSON.stringify(route.example ?? {}));
    const known: Record<string, string> = { ':account_secret': this.secret, ':kind': 'segments' };
    const filled = this.ids.map((id) => path.replace(/:\w+/g, (name) => known[name] ?? id));
    for (const path of filled) if ((await send({ method, path, headers, body })).status !== 404) return path;
    return filled[0] ?? path;
  }

  /** Sends a request as this account and checks the response and the rows. */
  async expectSafe(sent: Sent): Promise<Received> {
    const response = await send(sent);
    expect(response.status).toBeLessThan(500);
    const urls = this.#rows.urls ?? [];
    const changed = await this.findChanges();
    if (changed.length > 0) this.changes++;
    if (response.status < 400) return response;
    expectError(response.text, response.status);
    const byPage = response.status === 403 && pagePaths.has(sent.path.split('?')[0] ?? '');
    const bySignIn = response.status === 403 && /^\/v3\/(session|person|links)/.test(sent.path);
    const expected = byPage ? ['urls', 'published_versions'] : bySignIn ? ['audit_entries'] : [];
    expect(changed.filter((name) => !expected.includes(name))).toEqual([]);
    if (byPage) this.#expectRecorded(urls);
    return response;
  }

  /** A page on an unknown host adds the host, turned off, and nothing else. */
  #expectRecorded(before: readonly string[]): void {
    const added = (this.#rows.urls ?? []).filter((row) => !before.includes(row));
    expect(added.length).toBe((this.#rows.urls?.length ?? 0) - before.length);
    expect(added.length).toBeLessThanOrEqual(1);
    for (const row of added) expect(JSON.parse(row)).toMatchObject({ enabled: 'off', first_seen_at: null });
  }
}

interface ParameterSchema {
  type?: string;
  format?: string;
  enum?: string[];
  anyOf?: ParameterSchema[];
  items?: ParameterSchema;
  properties?: Record<string, ParameterSchema>;
}

const words = (text: string) => fc.constantFrom(...text.split(' '));
const times = fc.oneof(words('2029-04-07T12:18:00.000Z 2029-04-07 $now +30d -1w 0'), fc.constant(1870258680));
const anyUtf16 = fc.array(fc.nat(0xffff), { maxLength: 20 }).map((units) => String.fromCharCode(...units));

/** A value that the parameter may take. */
function fitting(schema: ParameterSchema): Arbitrary<unknown> {
  const [choice] = schema.anyOf ?? [];
  if (choice) return fc.oneof(fc.constantFrom(null, ''), fitting(choice));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.format === 'id') return fc.constant(OWN_ID);
  if (schema.format === 'place') return fc.oneof(times, fc.constant(OWN_ID));
  if (schema.format === 'moment') return times;
  if (schema.type === 'boolean') return fc.constantFrom(true, false, 'true', 'false');
  if (schema.type === 'integer' || schema.type === 'number') return fc.integer({ min: 1, max: 1000 });
  if (schema.type === 'array') return fc.array(fitting(schema.items ?? {}), { minLength: 1, maxLength: 4 });
  if (schema.type === 'object') return fc.record(fittingEach(schema.properties ?? {}), { requiredKeys: [] });
  return fc.oneof(
    fc.domain(),
    fc.domain().map((host) => `https://${host}/`),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
    fc.constantFrom('1E90FF', 'ABC'),
  );
}

function fittingEach(properties: Record<string, ParameterSchema>): Record<string, Arbitrary<unknown>> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, fitting(schema)]));
}

const polluting = [
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"a":{"__proto__":{"__proto__":{"polluted":true}}}}',
  '[{"__proto__":[{"polluted":true}]}]',
];
const nested = fc
  .tuple(fc.constantFrom(3, 63, 64, 65, 500), fc.boolean())
  .map(([depth, lists]) =>
    Array.from({ length: depth }).reduce<unknown>((inner) => (lists ? [inner] : { a: inner }), 1),
  );

const badText = ['\0', 'a\0b.example.com', '\ud800', 'x\udc00'];
const longText = [
  '9'.repeat(400),
  'x'.repeat(256),
  'x'.repeat(100_000),
  '😀'.repeat(255),
  'İ'.repeat(255),
  'aB'.repeat(127),
];
const indigestible = [...badText, ...longText, 1e308, -1e308, 2 ** 63, -1, [null], { a: '\0' }];
/** PostgreSQL rejects these texts and SQLite stores them, so a server that passes them on fails only on PostgreSQL. */
const indigestibleToPostgres = ['a\0b.example.com', '\ud800', 'x'.repeat(100_000), 'İ'.repeat(255), 1e308, 2 ** 63];

/** A value that hardly any parameter may take. */
const hostile: Arbitrary<unknown> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom<unknown>(...indigestible) },
  fc.constantFrom<unknown>(null, true, 0, 1.5, 2 ** 53, 1e21, 5e-324, [], {}, [[]], [{}], { 0: 'a' }, '', ' '),
  fc.constantFrom('a\u0301'.repeat(5000), 'ﬃ'.repeat(2000), 'a.'.repeat(500), '\ufeff', '\u202e', "' or 1=1 --"),
  words(
    '2029-02-30 +999999999w -999999999w __proto__ constructor [1, {"a": [] {} %00 ../.. NaN Infinity 1e999 -1 0x10',
  ),
  fc.constantFrom(...polluting).map((text): unknown => JSON.parse(text)),
  fc.constantFrom(...polluting, OWN_ID, `+${OWN_ID}`, OWN_ID.toUpperCase()),
  nested,
  fc.jsonValue({ maxDepth: 4 }),
  fc.string({ unit: 'binary' }),
  anyUtf16,
  fc.double(),
  times,
);

const extraKeys = fc.array(
  fc.tuple(
    fc.oneof(
      words('__proto__ constructor prototype toString hasOwnProperty then toJSON length'),
      words('id account_id created_at updated_at account_secret 0 $where'),
      fc.string(),
      anyUtf16,
    ),
    hostile,
  ),
  { maxLength: 3 },
);

type Pairs = readonly (readonly [string, unknown])[];

/** Parameters of an endpoint: as they should be, or some of them wrong, given twice, missing, or unknown. */
function parametersFor(
  properties: Record<string, ParameterSchema>,
  example: Record<string, unknown>,
): Arbitrary<Pairs> {
  const each = (arbitraryOf: (name: string, schema: ParameterSchema) => Arbitrary<Pairs>) =>
    fc.tuple(...Object.entries(properties).map(([name, schema]) => arbitraryOf(name, schema))).map((all) => all.flat());
  // Parameters that are not in the example are mostly left out, because two of them often contradict each other.
  const right = (name: string, schema: ParameterSchema): Arbitrary<Pairs> => {
    const params = fitting(schema).map((value): Pairs => [[name, value]]);
    if (!Object.hasOwn(example, name)) return fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, params);
    const asShown = fc.constant<Pairs>([[name, example[name]]]);
    return name.endsWith('_token') ? asShown : fc.oneof({ weight: 2, arbitrary: asShown }, params);
  };
  const wrong = (name: string) =>
    fc.array(hostile, { maxLength: 2 }).map((values) => values.map((value) => [name, value] as const));
  const one = fc
    .tuple(fc.constantFrom('', ...Object.keys(properties)), hostile)
    .chain(([wrongOne, value]) =>
      each((name, schema) => (name === wrongOne ? fc.constant([[name, value] as const]) : right(name, schema))),
    );
  return fc.oneof(
    { weight: 3, arbitrary: each(right) },
    { weight: 3, arbitrary: one },
    { weight: 1, arbitrary: fc.tuple(each(right), extraKeys).map((both) => both.flat()) },
    {
      weight: 2,
      arbitrary: each((name, schema) =>
        fc.oneof({ weight: 2, arbitrary: right(name, schema) }, { weight: 1, arbitrary: wrong(name) }),
      ),
    },
    { weight: 1, arbitrary: fc.tuple(each(wrong), extraKeys).map((both) => both.flat()) },
  );
}

function writeJson(pairs: Pairs): string {
  const object: Record<string, unknown> = Object.create(null);
  for (const [name, value] of pairs) object[name] = value;
  return JSON.stringify(object);
}

/** The pairs of a URL or a form, nested and repeated in every notation. */
function writeForm(pairs: Pairs, notation: number): string {
  const flat = pairs.flatMap(([name, value]): [string, unknown][] => {
    if (Array.isArray(value))
      return value.map((item, index) => [[`${name}[]`, name, `${name}[${index}]`][notation % 3] as string, item]);
    if (typeof value !== 'object' || value === null) return [[name, value]];
    return Object.entries(value).map(([key, item]) => [notation % 2 ? `${name}[${key}]` : `${name}.${key}`, item]);
  });
  return flat
    .map(
      ([name, value]) =>
        `${encode(name)}=${encode(typeof value === 'object' && value ? JSON.stringify(value) : String(value ?? ''))}`,
    )
    .join('&');
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function writeMultipart(pairs: Pairs): string {
  const parts = pairs.map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `--xyz\r\nContent-Disposition: form-data; name="${name.replaceAll('"', '%22')}"\r\n\r\n${text}\r\n`;
  });
  return `${parts.join('')}--xyz--\r\n`;
}

/** Damages a text: cuts it off, inserts something, or doubles it. */
function damaged(text: string): Arbitrary<string> {
  const piece = fc.oneof(
    words('" { } [ ] , : \\ \\u \\ud800 % %zz %C3 %ED%A0%80 & = a[ --xyz'),
    words('\0 \r\n \u00ff'),
  );
  return fc
    .tuple(fc.nat(text.length), fc.nat(3), piece, fc.boolean())
    .map(([at, dropped, put, cut]) => text.slice(0, at) + put + (cut ? '' : text.slice(at + dropped)));
}

const deepText = fc
  .tuple(fc.constantFrom(64, 66, 1000, 100_000), fc.constantFrom(['[', ']'], ['{"a":', '}']), fc.boolean())
  .map(
    ([depth, [open = '', close = ''], closed]) =>
      `{"a":${open.repeat(depth)}1${closed ? `${close.repeat(depth)}}` : ''}`,
  );

const headerValue = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((code) => code !== 0x7f)
    .map((code) => String.fromCharCode(code)),
  maxLength: 60,
});
const mediaType = fc.oneof(
  { weight: 2, arbitrary: words('application/json application/x-www-form-urlencoded text/plain') },
  fc.constantFrom('multipart/form-data; boundary=xyz', 'multipart/form-data; boundary="', ' ', 'a/b; c="'),
  words('multipart/form-data application/xml application/json;charset=utf-16 application/octet-stream json / ;'),
  headerValue,
);
const headerName = fc.oneof(
  words('accept accept-encoding accept-version accept-language authorization content-encoding cookie range'),
  words('if-none-match if-modified-since origin referer user-agent x-http-method-override x-request-id prefer'),
  words('x-forwarded-for x-forwarded-proto x-forwarded-host forwarded content-language'),
  fc
    .string({ unit: fc.constantFrom(..."abcxyz0189-_!#$%&'*+.^`|~"), minLength: 1, maxLength: 30 })
    .map((name) => `x-${name}`),
);
const moreHeaders = fc.dictionary(headerName, fc.oneof(headerValue, words('* gzip DELETE 1.2.3 bytes=0- __proto__')), {
  maxKeys: 4,
});

function withOwnIds(example: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(example).replace(/(?!5fb70dcbc39330000325a81[89])[0-9a-f]{24}/g, OWN_ID));
}

/** A request to an endpoint before the IDs of an account are put into it. */
interface Attempt extends Sent {
  pick: number;
  secretIn: 'header' | 'two headers' | 'query' | 'body' | 'nowhere';
}

function attemptsAt({ method, path, route }: Operation): Arbitrary<Attempt> {
  const properties = (route.parameters.properties ?? {}) as Record<string, ParameterSchema>;
  const parameters = parametersFor(properties, withOwnIds(route.example ?? {}));
  const form = fc.tuple(parameters, fc.nat()).map(([pairs, notation]) => writeForm(pairs, notation));
  const asQuery = form
    .map((text) => text.slice(0, MAX_QUERY))
    .chain((text) => fc.oneof({ weight: 3, arbitrary: fc.constant(text) }, damaged(text)))
    .map((text) => text.replace(/[^\x21-\xff]/g, ''));
  const text = fc.oneof(
    { weight: 8, arbitrary: parameters.map(writeJson) },
    { weight: 3, arbitrary: parameters.map(writeJson).chain(damaged) },
    { weight: 3, arbitrary: form },
    { weight: 1, arbitrary: form.chain(damaged) },
    { weight: 2, arbitrary: parameters.map(writeMultipart) },
    { weight: 1, arbitrary: parameters.map(writeMultipart).chain(damaged) },
    { weight: 1, arbitrary: deepText },
    { weight: 1, arbitrary: hostile.map((value) => JSON.stringify(value)) },
  );
  const bytes = fc.oneof(
    { weight: 12, arbitrary: text.map((body) => Buffer.from(body)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((body) => Buffer.from(body)) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(text, fc.constantFrom(0xff, 0xc0, 0xed, 0x80))
        .map(([body, byte]) =>
          Buffer.concat([Buffer.from(body.slice(0, -2)), Buffer.from([byte]), Buffer.from(body.slice(-2))]),
        ),
    },
    { weight: 1, arbitrary: text.map((body) => Buffer.from(body, 'utf16le')) },
  );
  const inPath = fc.oneof(
    { weight: 8, arbitrary: fc.constant(OWN_ID) },
    words('%00 % %zz %ff .. . %2F __proto__ constructor :id * batch \u00ff %ED%A0%80'),
    fc.constantFrom('', 'f'.repeat(24), 'x'.repeat(501)),
    fc.webSegment(),
  );
  const filledPath = fc.tuple(...route.pathParameters.map(() => inPath)).map((values) => {
    const left = [...values];
    return path.replace(/:\w+/g, () => left.shift() ?? '');
  });
  return fc
    .record({
      address: isOfExperiences(path)
        ? fc.oneof({ weight: 5, arbitrary: fc.constant(OWN_PATH) }, { weight: 1, arbitrary: filledPath })
        : filledPath,
      query: fc.oneof({ weight: 2, arbitrary: fc.constant('') }, asQuery),
      body: fc.oneof(
        { weight: 1, arbitrary: fc.constant(undefined) },
        { weight: method === 'GET' ? 1 : 8, arbitrary: bytes },
      ),
      type: fc.option(mediaType, { freq: 5 }),
      more: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, moreHeaders),
      pick: fc.nat(),
      secretIn: fc.oneof(
        { weight: 12, arbitrary: fc.constant('header' as const) },
        fc.constantFrom('two headers' as const, 'query' as const, 'body' as const, 'nowhere' as const),
      ),
    })
    .map(({ address, query, type, more, ...attempt }) => ({
      ...attempt,
      method,
      path: query === '' ? address : `${address}?${query}`,
      headers: { ...more, ...(type !== null && { 'Content-Type': type }) },
    }));
}

/** Puts an ID and the secret of the account, or whatever else the endpoint needs, into a request. */
async function aim(operation: Operation, attempt: Attempt, target: TestAccount): Promise<Sent> {
  const { method, path, headers, body, pick, secretIn } = attempt;
  const { ids, secret, path: own = '' } = target;
  const id = ids[pick % ids.length] ?? '';
  const aimed = {
    method,
    path: target.fill(path.replace(OWN_PATH, own).replaceAll(OWN_ID, id)),
    headers: {
      ...headers,
      ...(secretIn === 'header' && (await target.headersFor(operation))),
      ...(secretIn === 'two headers' && { 'X-Account-Secret': [secret, 'wrong'] }),
    },
    body: body && Buffer.from(target.fill(body.toString('latin1').replaceAll(OWN_ID, id)), 'latin1'),
  };
  if (secretIn === 'query') aimed.path += `${path.includes('?') ? '&' : '?'}account_secret=${secret}`;
  if (secretIn === 'body' && body?.[0] === 0x7b)
    aimed.body = Buffer.concat([Buffer.from(`{"account_secret":"${secret}",`), body.subarray(1)]);
  return aimed;
}

let born: { owner: object; keys: (string | symbol)[] }[];
beforeEach(() => {
  born = [Object.prototype, Array.prototype, Function.prototype, String.prototype].map((owner) => ({
    owner,
    keys: Reflect.ownKeys(owner),
  }));
});

function expectUnpolluted(): void {
  expect(({} as { polluted?: unknown }).polluted).toBe(undefined);
  for (const { owner, keys } of born) expect(Reflect.ownKeys(owner)).toEqual(keys);
}

let first: TestAccount | undefined;
let shared: TestAccount | undefined;

/** Returns an account that the tests share. It is replaced after many changes, and after tests that delete. */
async function prepareAccount(operation?: Operation): Promise<TestAccount> {
  const isUsedUp = !shared || shared.changes > MAX_CHANGES || operation?.method === 'DELETE';
  if (isUsedUp) shared = await TestAccount.create();
  const target = shared as TestAccount;
  first ??= target;
  // The endpoints that follow would miss what this test deletes.
  if (operation?.method === 'DELETE') shared = undefined;
  if (operation) await target.aimAt(operation);
  // The batch thread also writes, and its writes are not counted here.
  await target.findChanges(true);
  return target;
}

/** CI tests each endpoint on one of the engines, and `npm run test:all` on both. */
const isDivided = process.env.USHER_TEST_MODE === 'rest';
const operationsHere = operations.filter((_, at) => !isDivided || (at % 2 === 0) === (engine === 'sqlite'));

describe.each(operationsHere)('$method $path', (operation) => {
  it('responds to random requests, and a rejected request changes nothing', {
    timeout: 60_000 + RUNS * 100,
  }, async () => {
    let target = await prepareAccount(operation);
    expect(target.ids.length).toBeGreaterThan(0);
    await fc.assert(
      fc.asyncProperty(attemptsAt(operation), async (attempt) => {
        if (target.changes > MAX_CHANGES) target = await prepareAccount(operation);
        await target.expectSafe(await aim(operation, attempt, target));
        expectUnpolluted();
      }),
      { numRuns: RUNS },
    );
    expect((await send({ method: 'GET', path: '/healthz' })).status).toBe(200);
  });

  /** The many styles of a theme are read and stored as one, so that one of each schema is enough. */
  function listParameters({ route }: typeof operation): string[] {
    const schemas = Object.entries(route.parameters.properties ?? {}).map(([name, schema]) => [
      name.startsWith('style_') ? JSON.stringify(schema) : name,
      name,
    ]);
    return Object.values(Object.fromEntries(schemas));
  }

  // PUT runs the same code as PATCH, which a test in wire.test.ts checks, so one of the two is enough here.
  const isSameAsPatch = operation.method === 'PUT' && operation.route.methods.includes('PATCH');
  it.skipIf(isSameAsPatch)(
    'responds when one parameter at a time has a value that databases often reject',
    { timeout: 120_000 },
    async () => {
      const target = await prepareAccount();
      const path = await target.pathOf(operation);
      await target.findChanges();
      const type = { 'Content-Type': 'application/json' };
      for (const name of listParameters(operation)) {
        for (const value of engine === 'sqlite' ? indigestible : indigestibleToPostgres) {
          const body = Buffer.from(target.fill(JSON.stringify({ ...operation.route.example, [name]: value })));
          const headers = { ...type, ...(await target.headersFor(operation)) };
          await target.expectSafe({ method: operation.method, path, headers, body });
        }
      }
      if (operation.method === 'DELETE') shared = undefined;
      expectUnpolluted();
    },
  );

  // The body is rejected before any query runs, so one engine is enough.
  it.runIf(engine === 'sqlite' || isDivided)('rejects endless nesting with 422', async () => {
    const target = await prepareAccount();
    const known: Record<string, string> = {
      ':account_secret': target.secret,
      ':kind': isOfExperiences(operation.path) ? kindFor(operation.path) : 'segments',
      ':format': formatFor(operation.path),
    };
    const path = operation.path.replace(/:\w+/g, (name) => known[name] ?? OWN_ID);
    for (const text of [
      '{"a":'.repeat(20_000),
      `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
      '['.repeat(120_000),
    ]) {
      const body = Buffer.from(text);
      const headers = await target.headersFor(operation);
      const { status } = await target.expectSafe({ method: operation.method, path, headers, body });
      expect(status).toBe(422);
    }
  });
});

it('still creates every object in a new account after all these requests', async () => {
  expect((await TestAccount.create()).created).toEqual(first?.created);
});

describe('bodies of 10 MB', () => {
  const size = 10 * 1024 * 1024;
  const bodies = {
    JSON: `{"host":"${'a'.repeat(size)}"}`,
    'a form': `host=${'a'.repeat(size)}`,
    'nothing at all': '\0'.repeat(size),
  };

  it.each(Object.entries(bodies))('are rejected with 413 as %s', async (_, text) => {
    const target = await prepareAccount();
    const headers = { 'X-Account-Secret': target.secret };
    const response = await target.expectSafe({
      method: 'POST',
      path: '/v3/edit/urls',
      headers,
      body: Buffer.from(text),
    });
    expect(response.status).toBe(413);
  });

  it('are rejected with 413 when the request does not state their length', async () => {
    const target = await prepareAccount();
    const headers = { 'X-Account-Secret': target.secret, 'Transfer-Encoding': 'chunked' };
    const response = await target.expectSafe({
      method: 'POST',
      path: '/v3/edit/urls',
      headers,
      body: Buffer.alloc(size, 'a'),
    });
    expect(response.status).toBe(413);
  });
});

describe('a request that is not HTTP', () => {
  /** Writes to a bare socket, and reads until the server closes it. */
  function write(text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = new URL(api.url);
      const socket = connect(Number(port), hostname, () => socket.write(Buffer.from(text, 'latin1')));
      const chunks: Buffer[] = [];
      socket.setTimeout(MAX_RESPONSE_MS, () => socket.destroy(new Error('no response')));
      socket.on('data', (chunk) => chunks.push(chunk));
      socket.on('error', reject);
      socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
    });
  }

  const post = (secret: string, ...lines: string[]) =>
    ['POST /v3/edit/urls HTTP/1.1', 'Host: usher', `X-Account-Secret: ${secret}`, ...lines].join('\r\n');
  const json = '{"host":"not-http.example.com"}';
  const requests: Record<string, (secret: string) => string> = {
    'a line of anything': () => 'hello\r\n\r\n',
    'bytes of anything': () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n',
    'an unknown version': () => 'GET / HTTP/9.9\r\nHost: usher\r\n\r\n',
    'an unknown method': () => 'USHER / HTTP/1.1\r\nHost: usher\r\n\r\n',
    'an address with a NUL in it': () => 'GET /\0 HTTP/1.1\r\nHost: usher\r\n\r\n',
    'an address with a space in it': () => 'GET /a b HTTP/1.1\r\nHost: usher\r\n\r\n',
    'a header without a name': (secret) => `${post(secret)}\r\n: x\r\n\r\n`,
    'a header with a NUL in it': (secret) => post(secret, 'X-A: \0', '', ''),
    'a length that is no number': (secret) => post(secret, 'Content-Length: x', '', json),
    'a length below zero': (secret) => post(secret, 'Content-Length: -1', '', json),
    'two lengths': (secret) => post(secret, 'Content-Length: 31', 'Content-Length: 2', '', json),
    'a length and chunks': (secret) =>
      post(secret, 'Content-Length: 31', 'Transfer-Encoding: chunked', '', `1f\r\n${json}\r\n0\r\n\r\n`),
    'a chunk of no size': (secret) => post(secret, 'Transfer-Encoding: chunked', '', `zz\r\n${json}\r\n0\r\n\r\n`),
    'a second chunk of no size': (secret) =>
      post(secret, 'Transfer-Encoding: chunked', '', `1f\r\n${json}\r\nzz\r\n\r\n`),
  };

  it.each(Object.entries(requests))('is rejected and changes nothing: %s', async (_, request) => {
    const target = await prepareAccount();
    const response = await write(request(target.secret));
    const [head = '', body = ''] = response.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expectError(body, 400);
    expect(await target.findChanges()).toEqual([]);
  });

  it('is rejected with 431 when the URL or a header is too long', async () => {
    const target = await prepareAccount();
    const headers = { 'X-Account-Secret': target.secret };
    const long = 'x'.repeat(17_000);
    const responses = [
      await target.expectSafe({ method: 'GET', path: `/v3/edit/urls?domain=${long}`, headers }),
      await target.expectSafe({ method: 'GET', path: '/v3/edit/urls', headers: { ...headers, 'X-Long': long } }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([431, 431]);
  });

  it('does not stop the server from serving other requests', async () => {
    for (const request of Object.values(requests)) await write(request(api.account.account_secret));
    expect((await api.get('/healthz')).status).toBe(200);
    const { status } = await api.post('/v3/edit/urls', { host: 'not-http.example.com' });
    expect(status).toBe(201);
  });
});
