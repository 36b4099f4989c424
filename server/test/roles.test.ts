import { hasPermission, type Role, roles, type Scope, scopes } from '@usher/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../src/app.ts';
import { createSecret } from '../src/features/team/secrets/create-secret.ts';
import type { Method, Route } from '../src/http/route.ts';
import { type Api, type ApiResponse, startApi } from './api.ts';
import { formatFor, kindFor } from './experience-path.ts';
import { addSignedIn, Browser, storeSession, type TestAdmin } from './sign-in.ts';

/*
 * Calls every endpoint with every role: with the cookie of a session, and with a secret of each scope. Each call is
 * either rejected because of its role or scope, or passes that check, whatever its parameters lead to.
 */

let api: Api;
const admins = {} as Record<Role, TestAdmin & { secrets: Record<Scope, { account_secret: string }> }>;
beforeAll(async () => {
  api = await startApi({ inTest: false, env: { USHER_LIMIT_SIGN_INS: '0' } });
  for (const role of roles) {
    const admin = await addSignedIn(api, role);
    const secrets = {} as Record<Scope, { account_secret: string }>;
    const { account_id: accountId } = api.account;
    for (const scope of scopes)
      secrets[scope] = await createSecret(api.app, { accountId, email: admin.email, name: scope, scope });
    admins[role] = { ...admin, secrets };
  }
});
afterAll(() => api.stop());

const unknownId = 'f'.repeat(24);

function pathOf(path: string, secret = 'none'): string {
  const words: Record<string, string> = { kind: kindFor(path), format: formatFor(path), account_secret: secret };
  return path.replace(/:(\w+)/g, (_, name: string) => words[name] ?? unknownId);
}

const permissionError = /^(Only .* may do this|The scope of this secret)/;
const isRejected = ({ status, body }: ApiResponse) => status === 403 && permissionError.test(body.messages[0]);

const operations = routes.flatMap((route) => route.methods.map((method) => ({ method, path: route.path, route })));
const byCaller = operations.filter(({ route }) => !route.runOpen && !route.forSession);
const bySession = operations.filter(({ route }) => route.forSession);
const open = operations.filter(({ route }) => route.runOpen);

/** Sends nothing that could succeed: unknown IDs and, where it matters, a parameter of the wrong type. */
function bodyOf({ parameters }: Route, method: Method): { body?: object } {
  if (method === 'GET' || method === 'DELETE') return {};
  const [name] = Object.keys(parameters.properties ?? {});
  return { body: name === undefined ? {} : { [name]: { wrong: [] } } };
}

describe.each(byCaller)('$method $path', ({ method, path, route }) => {
  const { permission } = route;
  const expected = (role: Role, scope?: Scope) =>
    permission !== null && !hasPermission({ role, scope }, permission) ? 'rejected' : 'accepted';

  it('accepts exactly the roles that have its permission', async () => {
    for (const role of roles) {
      const response = await admins[role].browser.send(method, pathOf(path), bodyOf(route, method));
      // An endpoint with the secret in its path accepts that secret, and no cookie.
      if (path.includes(':account_secret')) expect([role, response.status]).toEqual([role, 403]);
      else expect([role, isRejected(response) ? 'rejected' : 'accepted']).toEqual([role, expected(role)]);
      expect(response.status).not.toBe(401);
      expect(response.status).toBeLessThan(500);
    }
  });

  it('accepts exactly the secrets whose scope and role have its permission', async () => {
    for (const role of roles)
      for (const scope of scopes) {
        const as = admins[role].secrets[scope];
        const { account_secret } = as;
        const response = await api.send(method, pathOf(path, account_secret), { as, ...bodyOf(route, method) });
        const outcome = isRejected(response) ? 'rejected' : 'accepted';
        expect([role, scope, outcome]).toEqual([role, scope, expected(role, scope)]);
      }
  });
});

describe.each(bySession)('$method $path of a session', ({ method, path, route }) => {
  it('accepts the roles that have its permission with a cookie, and no secret', async () => {
    for (const role of roles) {
      const { personId, secrets } = admins[role];
      const browser = new Browser(api, await storeSession(api, personId, api.account.account_id));
      const { status } = await browser.send(method, pathOf(path), bodyOf(route, method));
      const isAllowed = route.permission === null || hasPermission({ role }, route.permission);
      expect([role, [401, 403].includes(status)]).toEqual([role, !isAllowed]);
      for (const scope of scopes) {
        const response = await api.send(method, pathOf(path), { as: secrets[scope] });
        expect([role, scope, response.status]).toEqual([role, scope, 403]);
      }
    }
  });
});

describe.each(open)('$method $path for everybody', ({ method, path, route }) => {
  it('needs neither a secret nor a cookie', async () => {
    const { status } = await new Browser(api).send(method, path, bodyOf(route, method));
    expect(status).toBe(422);
  });
});

describe('permissions of routes', () => {
  const permissionAt = (method: Method, path: string) =>
    routes.find((route) => route.path === path && route.methods.includes(method))?.permission;

  it.each([
    ['GET', '/', null],
    ['GET', '/v3/edit/account', 'read'],
    ['PATCH', '/v3/edit/account', 'own'],
    ['POST', '/v3/edit/account/uid_secret', 'own'],
    ['POST', '/v3/analyze/profiles', 'read'],
    ['POST', '/v3/observe/hooks/profiles', 'ingest'],
    ['POST', '/v3/observe/hooks/:account_secret/events', 'ingest'],
    ['POST', '/v3/edit/i18n', 'translate'],
    ['PATCH', '/v3/edit/:kind/:id/translations', 'translate'],
    ['POST', '/v3/edit/:kind', 'edit'],
    ['POST', '/v3/edit/deliveries', 'edit'],
    ['POST', '/v3/edit/survey_links', 'edit'],
    ['POST', '/v3/edit/picks', 'edit'],
    ['GET', '/v3/edit/picks/:id', 'edit'],
    ['GET', '/v3/edit/picks/:id/events', 'edit'],
    ['GET', '/v3/edit/secrets', 'own'],
    ['GET', '/v3/edit/admins', 'own'],
    ['GET', '/v3/edit/invitations', 'own'],
    ['GET', '/v3/analyze/audit_entries', 'own'],
  ] as const)('%s %s needs %s', (method, path, permission) => {
    expect(permissionAt(method, path)).toBe(permission);
  });
});
