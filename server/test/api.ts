import { onTestFinished } from 'vitest';
import { createApp } from '../src/app.ts';
import type { AppContext } from '../src/context.ts';
import { type CreatedAccount, createAccount } from '../src/features/team/accounts/create-account.ts';
import { Passwords } from '../src/features/team/persons/passwords.ts';
import { createLog } from '../src/log/log.ts';
import { openAppContext } from '../src/serve.ts';
import { readSettings } from '../src/settings/settings.ts';
import { createTestDatabase, type TestDatabase } from './engine.ts';
import { validateResponse } from './published-schema.ts';

export interface ApiResponse {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of its response
  body: any;
  text: string;
}

interface RequestOptions {
  query?: string;
  /** An object is sent as JSON, a string or buffer as it is. */
  body?: unknown;
  headers?: Record<string, string>;
  /** The account whose secret is sent; null sends none. */
  as?: Pick<CreatedAccount, 'account_secret'> | null;
}

/** The cost is low, because one hash with the usual cost takes a third of a second. */
export const PASSWORD_COST = 1024;
const accountEmails = ['ann@acme.test', 'bob@other.test'] as const;
let emails = 0;

/** An email that no person has yet. */
export function newEmail(): string {
  return `owner${++emails}@new.test`;
}

/** A server on a port of its own with a database of its own that has two accounts. */
export interface Api {
  url: string;
  app: AppContext;
  database: TestDatabase;
  account: CreatedAccount;
  other: CreatedAccount;
  send(method: string, path: string, options?: RequestOptions): Promise<ApiResponse>;
  get(path: string, options?: RequestOptions): Promise<ApiResponse>;
  post(path: string, body?: unknown, options?: RequestOptions): Promise<ApiResponse>;
  patch(path: string, body?: unknown, options?: RequestOptions): Promise<ApiResponse>;
  /** Creates new accounts and uses them from now on, so that tests can share one server. */
  replaceAccounts(): Promise<void>;
  stop(): Promise<void>;
}

/** The server stops at the end of its test. In `beforeAll`, pass `inTest: false` and call `stop` in `afterAll`. */
export async function startApi({
  env = {},
  inTest = true,
  now,
  beside,
  database: given,
  dashboard,
}: {
  env?: NodeJS.ProcessEnv;
  inTest?: boolean;
  /** The clock of the server. */
  now?: () => number;
  /** Another server. This one shares its database and accounts. */
  beside?: Api;
  /** A database to use instead of a new one. It is removed with the server. */
  database?: TestDatabase;
  /** The folder of the built dashboard. */
  dashboard?: string;
} = {}): Promise<Api> {
  const database = beside?.database ?? given ?? (await createTestDatabase());
  const settings = readSettings({ ...database.env, ...env });
  const log = createLog('silent');
  const app = Object.assign(await openAppContext(settings, log, now), {
    passwords: new Passwords(undefined, PASSWORD_COST),
  });
  const httpApp = createApp(app, { ...settings, dashboard }, log);
  const url = await httpApp.listen({ host: '127.0.0.1', port: 0 });
  const createAccounts = async () => {
    await app.storage.write(null, async (db) => {
      // An email belongs to one person, so the persons of earlier accounts get another one.
      const people = await db.selectFrom('people').select('id').where('email', 'in', accountEmails).execute();
      for (const { id } of people) {
        const email = newEmail();
        await db.updateTable('people').set({ email, email_key: email }).where('id', '=', id).execute();
      }
    });
    return {
      account: await createAccount(app, { name: 'Acme', email: accountEmails[0] }),
      other: await createAccount(app, { name: 'Other', email: accountEmails[1] }),
    };
  };
  const accounts = beside ? { account: beside.account, other: beside.other } : await createAccounts();

  const send: Api['send'] = async (method, path, { query, body, headers = {}, as = api.account } = {}) => {
    const raw = typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData;
    const response = await fetch(url + path + (query ? `?${query}` : ''), {
      method,
      headers: {
        // Compressed responses take longer. compression.test.ts and the browsers request them.
        'Accept-Encoding': 'identity',
        ...(as && { 'X-Account-Secret': as.account_secret }),
        ...(body !== undefined && !raw && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: raw ? (body as string) : JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = /json/.test(response.headers.get('content-type') ?? '');
    const result = {
      status: response.status,
      headers: response.headers,
      text,
      body: json ? JSON.parse(text) : undefined,
    };
    await validateResponse(url, method, path, result);
    return result;
  };
  const stop = async () => {
    await httpApp.close();
    await app.storage.close();
    if (!beside) await database.remove();
  };
  if (inTest) onTestFinished(stop);
  const api: Api = {
    url,
    app,
    database,
    ...accounts,
    send,
    get: (path, options) => send('GET', path, options),
    post: (path, body, options) => send('POST', path, { body, ...options }),
    patch: (path, body, options) => send('PATCH', path, { body, ...options }),
    replaceAccounts: async () => {
      Object.assign(api, await createAccounts());
    },
    stop,
  };
  return api;
}
