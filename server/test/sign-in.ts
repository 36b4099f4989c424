import type { Role } from '@usher/domain';
import { createContext } from '../src/create-context.ts';
import { addMember, createAdmin } from '../src/features/team/admins/create-admin.ts';
import { hashToken, newSessionToken } from '../src/features/team/sessions/token.ts';
import type { Api, ApiResponse } from './api.ts';

export const PASSWORD = 'correct horse battery';
/** A hash of the password with PASSWORD_COST. */
const quickHash = 'scrypt$1024$AAAAAAAAAAAAAAAAAAAAAA$AsWvwMY_76m6UtetkFvlJIEPTCAm8Pu2vkYrRktx10s';

interface Sent {
  query?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** A simulated browser: it keeps the cookie, and sends the headers that browsers send. */
export class Browser {
  readonly #api: Api;
  cookie: string | undefined;

  constructor(api: Api, cookie?: string) {
    this.#api = api;
    this.cookie = cookie;
  }

  async send(method: string, path: string, { query, body, headers = {} }: Sent = {}): Promise<ApiResponse> {
    const response = await this.#api.send(method, path, {
      as: null,
      ...(query !== undefined && { query }),
      body,
      headers: {
        'Sec-Fetch-Site': 'same-origin',
        ...(this.cookie !== undefined && { Cookie: `usher_session=${this.cookie}` }),
        ...headers,
      },
    });
    const [set] = response.headers.getSetCookie();
    if (set !== undefined) this.cookie = /^usher_session=([^;]*)/.exec(set)?.[1] || undefined;
    return response;
  }

  get(path: string, sent?: Sent): Promise<ApiResponse> {
    return this.send('GET', path, sent);
  }

  post(path: string, body?: unknown, sent?: Sent): Promise<ApiResponse> {
    return this.send('POST', path, { body, ...sent });
  }

  patch(path: string, body?: unknown): Promise<ApiResponse> {
    return this.send('PATCH', path, { body });
  }

  delete(path: string): Promise<ApiResponse> {
    return this.send('DELETE', path);
  }

  signIn(email: string, password = PASSWORD): Promise<ApiResponse> {
    return this.post('/v3/session', { email, password });
  }
}

export interface TestAdmin {
  id: string;
  personId: string;
  email: string;
  browser: Browser;
}

let count = 0;

/** Adds an administrator who has signed in. The session is stored directly, because a sign-in takes long. */
export async function addSignedIn(
  api: Api,
  role: Role,
  { accountId = api.account.account_id, email = `${role}${++count}@people.test` } = {},
): Promise<TestAdmin> {
  const made = await createAdmin(api.app, { accountId, email, name: `Kim ${role}`, role });
  await setPassword(api, made.person_id);
  const browser = new Browser(api, await storeSession(api, made.person_id, accountId));
  return { id: made.user_id, personId: made.person_id, email, browser };
}

/** Adds somebody to another account, as if they had accepted an invitation. Returns their ID there. */
export async function addToAccount(
  { app }: Pick<Api, 'app'>,
  personId: string,
  accountId: string,
  role: Role,
): Promise<string> {
  const ctx = createContext(app, { account: { id: accountId }, actor: { id: '', role: 'owner' } });
  return ctx.transaction((inside) => addMember(inside, personId, role));
}

export async function setPassword(api: Api, personId: string, password_hash: string | null = quickHash): Promise<void> {
  await api.app.storage.write(null, (db) =>
    db.updateTable('people').set({ password_hash }).where('id', '=', personId).execute(),
  );
}

/** Stores a session and returns its token. */
export async function storeSession(api: Api, personId: string, accountId: string): Promise<string> {
  const { storage, newId, now } = api.app;
  const token = newSessionToken();
  const row = {
    id: newId(),
    hash: hashToken(token),
    person_id: personId,
    account_id: accountId,
    last_used_at: now(),
    confirmed_at: now(),
    user_agent: 'test',
    network: '127.0.0.1',
  };
  await storage.write(null, (db) => db.insertInto('sessions').values(row).execute());
  return token;
}

/** Makes the last confirmation of a session too old for dangerous changes. */
export async function forgetConfirmation(api: Api, personId: string): Promise<void> {
  await api.app.storage.write(null, (db) =>
    db.updateTable('sessions').set({ confirmed_at: null }).where('person_id', '=', personId).execute(),
  );
}
