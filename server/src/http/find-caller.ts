import type { AppContext, Caller } from '../context.ts';
import { type ApiError, forbidden, otherUser, signedOut } from '../errors.ts';
import type { HttpRequest } from './http-request.ts';
import type { AuthenticateRequest } from './limits.ts';
import { RequestInfo } from './request-info.ts';

export interface CallerDependencies {
  app: AppContext;
  authenticate: AuthenticateRequest;
  /** Like `authenticate`, by the token in the cookie of a session. */
  authenticateSession: AuthenticateRequest;
}

/** Finds the caller by the cookie of a session, if there is one. */
export async function findBySession(deps: CallerDependencies, request: HttpRequest): Promise<Caller | undefined> {
  // Most requests have no cookie at all.
  if (request.headers.cookie === undefined) return undefined;
  const { cookie } = new RequestInfo(request, deps.app.publicUrl);
  const { token } = cookie;
  if (token === undefined) return undefined;
  cookie.checkOrigin();
  const caller = await deps.authenticateSession(token, request);
  checkUser(caller, request);
  return caller;
}

/**
 * All tabs of a browser share one session. A tab that was opened in one account must not write to another account after
 * a different tab has switched to that, so each request of the dashboard names the administrator that its tab belongs
 * to.
 */
function checkUser({ actor }: Caller, { headers }: HttpRequest): void {
  const shown = headers['x-user-id'];
  if (shown !== undefined && shown !== actor.id) throw otherUser();
}

/** Finds the caller by a secret, or without one by the cookie. A request with a secret never looks at the cookie. */
export async function findCaller(
  deps: CallerDependencies,
  { forSession }: { forSession: boolean },
  request: HttpRequest,
  secret: unknown,
): Promise<Caller> {
  const hasSecret = secret !== undefined && secret !== '';
  if (hasSecret && forSession) throw sessionNeeded();
  const bySession = hasSecret ? undefined : await findBySession(deps, request);
  if (bySession) return bySession;
  if (forSession) throw signedOut('Nobody has signed in: send the cookie that `POST /v3/session` sets');
  return deps.authenticate(secret, request);
}

export function sessionNeeded(): ApiError {
  return forbidden('This is for people who have signed in: leave the account secret out, and send their cookie');
}
