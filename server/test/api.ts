import { onTestFinished } from 'vitest';
import { createApp } from '../src/app.ts';
import type { AppContext } from '../src/context.ts';
import { type CreatedAccount, createAccount } from '../src/features/accounts/create-account.ts';
import { createLog } from '../src/log.ts';
import { openAppContext } from '../src/serve.ts';
import { readSettings } from '../src/settings.ts';
import { createTestDatabase, type TestDatabase } from './engine.ts';
import { validateAnswer } from './published-schema.ts';

export interface ApiResponse {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever came over the wire
  body: any;
  text: string;
}

interface RequestOptions {
  query?: string;
  /** An object goes as JSON; a string or buffer goes as it is. */
  body?: unknown;
  headers?: Record<string, string>;
  /** The account to call as; null sends no secret. */
  as?: Pick<CreatedAccount, 'account_secret'> | null;
}

/** A real server on a real port with a real database, and two accounts in it. */
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
  stop(): Promise<void>;
}

/** Stops by itself at the end of the test that started it; in `beforeAll`, call `stop` in `afterAll`. */
export async function startApi({
  env = {},
  inTest = true,
  now,
  beside,
}: {
  env?: NodeJS.ProcessEnv;
  inTest?: boolean;
  /** The clock of the server. */
  now?: () => number;
  /** Another node, whose database and accounts are used. */
  beside?: Api;
} = {}): Promise<Api> {
  const database = beside?.database ?? (await createTestDatabase());
  const settings = readSettings({ ...database.env, ...env });
  const log = createLog('silent');
  const app = await openAppContext(settings, log, now);
  const httpApp = createApp(app, settings, log);
  const url = await httpApp.listen({ host: '127.0.0.1', port: 0 });
  const account = beside?.account ?? (await createAccount(app, { name: 'Acme', email: 'ann@acme.test' }));
  const other = beside?.other ?? (await createAccount(app, { name: 'Other', email: 'bob@other.test' }));

  const send: Api['send'] = async (method, path, { query, body, headers = {}, as = account } = {}) => {
    const raw = typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData;
    const response = await fetch(url + path + (query ? `?${query}` : ''), {
      method,
      headers: {
        ...(as && { 'X-Account-Secret': as.account_secret }),
        ...(body !== undefined && !raw && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: raw ? (body as string) : JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = /json/.test(response.headers.get('content-type') ?? '');
    const answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: json ? JSON.parse(text) : undefined,
    };
    await validateAnswer(url, method, path, answer);
    return answer;
  };
  const stop = async () => {
    await httpApp.close();
    await app.storage.close();
    if (!beside) await database.remove();
  };
  if (inTest) onTestFinished(stop);
  return {
    url,
    app,
    database,
    account,
    other,
    send,
    get: (path, options) => send('GET', path, options),
    post: (path, body, options) => send('POST', path, { body, ...options }),
    patch: (path, body, options) => send('PATCH', path, { body, ...options }),
    stop,
  };
}
