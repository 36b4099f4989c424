import type { AppContext, Context } from '../context.ts';
import { anonymous, createContext } from '../create-context.ts';
import { type ApiError, forbidden } from '../errors.ts';
import { checkCaller } from '../http/check-caller.ts';
import { type CallerDependencies, findCaller } from '../http/find-caller.ts';
import type { HttpRequest } from '../http/http-request.ts';
import type { Limits } from '../http/limits.ts';
import type { PublishedAccount } from '../published/published-account.ts';
import { currentAccount } from './current-account.ts';
import { checkMaker, readDebugToken } from './debug-token.ts';
import { checkPick, findPickByToken, type PickRow, readPickToken } from './pick-token.ts';
import { readTicket, type StreamTicket } from './stream-ticket.ts';
import { unproven } from './uid-hash.ts';
import { isVisitOver, readVisit, type Visit, visitIsOver } from './visit-token.ts';

type Params = Record<string, unknown>;

export interface PageAuthentication extends CallerDependencies {
  limits: Limits;
}

interface PageCaller {
  account: PublishedAccount;
  visit?: Visit;
  pick?: PickRow;
  ticket?: StreamTicket;
}

/** Finds the account by its public token. */
export async function authenticateByToken(
  deps: PageAuthentication,
  { account_token: token }: Params,
  request: HttpRequest,
): Promise<PageCaller> {
  if (typeof token !== 'string' || token === '')
    throw forbidden('Give the public token of the account as `account_token`');
  // No token contains a null character, and PostgreSQL rejects it in a query.
  const account = token.includes('\0') ? undefined : await deps.app.publishedCache.byToken(token);
  if (!account)
    throw wrongToken(deps, request, 'There is no account with this `account_token`: check the script on your page');
  return { account };
}

/** Finds the account and the visit by the token that a page load returned. */
export async function authenticateByVisit(
  deps: PageAuthentication,
  { visit_token: token }: Params,
  request: HttpRequest,
): Promise<PageCaller> {
  const { publishedCache, now } = deps.app;
  if (typeof token !== 'string' || token === '')
    throw forbidden('Give the token of the visit, as `POST /v3/observe/visits` answered it, as `visit_token`');
  const parsed = readVisit(token);
  const account = parsed && (await publishedCache.account(parsed.visit.accountId));
  if (!account || !parsed.isSignedBy(account.visitKey))
    throw wrongToken(deps, request, 'This `visit_token` is not valid');
  const { visit } = parsed;
  if (isVisitOver(visit, now())) throw visitIsOver();
  if (visit.isProven) return { account, visit };
  // The account may require a proof by now, which this process learns only from the version number.
  const current = await currentAccount(contextOf(deps.app, account), account);
  if (current.requireUidHash) throw unproven();
  return { account: current, visit };
}

/** Finds the account and the visit, and checks the debug token, which must be of the same account. */
export async function authenticateByDebugToken(
  deps: PageAuthentication,
  params: Params,
  request: HttpRequest,
): Promise<PageCaller> {
  const caller = await authenticateByVisit(deps, params, request);
  const { debug_token: token } = params;
  if (typeof token !== 'string' || token === '')
    throw forbidden('Give a debug token, as `POST /v3/edit/debug_tokens` returned it, as `debug_token`');
  const { visitKey, id } = caller.account;
  const content = readDebugToken(token, visitKey, id);
  if (content === undefined) throw wrongToken(deps, request, 'This `debug_token` is not valid for this account');
  if (content.expiresAt <= deps.app.now())
    throw forbidden('This `debug_token` has expired: make another one with `POST /v3/edit/debug_tokens`');
  await checkMaker(contextOf(deps.app, caller.account), content);
  return caller;
}

/** Finds the account and the pick by the token that opening the pick returned. */
export async function authenticateByPick(
  deps: PageAuthentication,
  { pick_token: token }: Params,
  request: HttpRequest,
): Promise<PageCaller> {
  if (typeof token !== 'string' || token === '')
    throw forbidden('Give the token of the pick, as `POST /v3/observe/picks` returned it, as `pick_token`');
  const parsed = readPickToken(token);
  const account = parsed && (await deps.app.publishedCache.account(parsed.accountId));
  const pick = account && (await findPickByToken(contextOf(deps.app, account), parsed.pickId, token));
  if (!account || !pick) throw wrongToken(deps, request, 'This `pick_token` is not valid');
  await checkPick(contextOf(deps.app, account), pick);
  return { account, pick };
}

/** Finds the account and the visit by a ticket for a stream. */
export async function authenticateByTicket(
  deps: PageAuthentication,
  { ticket: text }: Params,
  request: HttpRequest,
): Promise<PageCaller> {
  if (typeof text !== 'string' || text === '')
    throw forbidden('Give the `stream` of the visit, as `POST /v3/observe/visits` returned it, as `ticket`');
  const parsed = readTicket(text);
  const account = parsed && (await deps.app.publishedCache.account(parsed.ticket.visit.accountId));
  if (!account || !parsed.isSignedBy(account.visitKey)) throw wrongToken(deps, request, 'This `ticket` is not valid');
  const { ticket } = parsed;
  return { account, visit: ticket.visit, ticket };
}

/** Finds the account by a secret, or by the cookie of a session. The public token may be left out then, but a wrong one is still rejected. */
export async function authenticateBySecret(
  deps: PageAuthentication,
  params: Params,
  request: HttpRequest,
): Promise<PageCaller> {
  const { app } = deps;
  const secret = request.headers['x-account-secret'] || params.account_secret;
  const caller = await findCaller(deps, { forSession: false }, request, secret);
  checkCaller({ permission: 'read' }, caller, request.ip);
  const { account } = caller;
  const byToken = params.account_token === undefined ? undefined : await authenticateByToken(deps, params, request);
  if (byToken && byToken.account.id !== account.id)
    throw forbidden('`account_token` and the secret are of different accounts');
  const published = byToken?.account ?? (await app.publishedCache.account(account.id));
  if (!published) throw forbidden('This account is gone');
  return { account: published };
}

/** Counts wrong tokens: a client that sends many of them is guessing. */
function wrongToken({ limits }: PageAuthentication, { ip }: HttpRequest, message: string): ApiError {
  limits.countWrong(ip);
  return forbidden(message);
}

const contexts = new WeakMap<PublishedAccount, Context>();

/** All pages of an account share one context, because creating one takes as long as a small query. */
export function contextOf(app: AppContext, account: PublishedAccount): Context {
  const known = contexts.get(account);
  if (known) return known;
  const ctx = createContext(app, { account: { id: account.id }, actor: anonymous });
  contexts.set(account, ctx);
  return ctx;
}
