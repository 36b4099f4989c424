import { type Host, memoize, parsePageHost } from '@usher/domain';
import { type AppContext, anonymous, type Context, createContext } from '../context.ts';
import { type ApiError, forbidden, invalid } from '../errors.ts';
import { readBody } from '../http/body.ts';
import { type HttpRequest, takeInBody } from '../http/http-request.ts';
import { HttpResponse, jsonResponse, responseWith } from '../http/http-response.ts';
import type { Admit, Limits } from '../http/limits.ts';
import { queryOf } from '../http/query-string.ts';
import type { RequestQueues } from '../http/request-queues.ts';
import type { PageRoute } from '../http/route.ts';
import type { Handler } from '../http/server.ts';
import type { PublishedAccount } from '../published/published-cache.ts';
import { admitHost, noHost } from './admit-host.ts';
import { currentAccount } from './current-account.ts';
import { JsonBytes } from './json-bytes.ts';
import { unproven } from './uid-hash.ts';
import { isVisitOver, readVisit, type Visit, visitIsOver } from './visit-token.ts';

/** Above what a page has to say of a user, and far below what an API client may send. */
const MAX_PAGE_BODY = 128 * 1024;

type Params = Record<string, unknown>;

interface PageDependencies {
  app: AppContext;
  admit: Admit;
  limits: Limits;
  requestQueues: RequestQueues;
}

/** From a request of a page to its answer: which account, on which host, then the verb. */
export function handlePageRequest(route: PageRoute, deps: PageDependencies): Handler {
  const { app, limits, requestQueues } = deps;
  const bodyLimits = { size: MAX_PAGE_BODY, patience: requestQueues.patience };
  return async (request) => {
    limits.countPage(request.ip);
    requestQueues.requestActivity.note();
    const { url, headers } = request;
    const fields = await readBody(await takeInBody(request, bodyLimits), request.mediaType);
    const params: Params = Object.assign(Object.create(null), queryOf(url), fields);
    const reading = route.read(params, app.now());
    const bySecret = 'value' in reading && route.bySecret(reading.value);
    const page = bySecret
      ? await accountBySecret(deps, params, request)
      : await (route.needs === 'visit' ? accountByVisit(deps, params, request) : accountByToken(deps, params, request));
    const { visit } = page;
    let { account } = page;
    request.accountId = account.id;
    if ('problems' in reading) throw invalid(...reading.problems);

    const host = hostOf(headers.origin) ?? hostOf(reading.value.href);
    const ctx = contextOf(app, account);
    if (host && !bySecret) account = await admitHost(ctx, account, host);
    else if (!visit && !bySecret) throw noHost();
    const acceptLanguage = headers['accept-language'];
    const answer = await route.run({ ctx, account, visit, host, acceptLanguage, bySecret, limits }, reading.value);
    return answer instanceof JsonBytes
      ? new HttpResponse(route.status, answer.bytes)
      : jsonResponse(route.status, answer);
  };
}

/** Which methods and headers a page of another origin may use. */
export const handlePreflight: Handler = async ({ incoming }) => {
  // What it may send along is not read.
  incoming.resume();
  return responseWith(204, '', {
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'content-type',
    'access-control-max-age': 86400,
  });
};

interface PageCaller {
  account: PublishedAccount;
  visit?: Visit;
}

async function accountByToken(
  deps: PageDependencies,
  { account_token: token }: Params,
  request: HttpRequest,
): Promise<PageCaller> {
  if (typeof token !== 'string' || token === '')
    throw forbidden('Give the public token of the account as `account_token`');
  // No token has one, and not every database can be asked for it.
  const account = token.includes('\0') ? undefined : await deps.app.publishedCache.byToken(token);
  if (!account)
    throw wrongToken(deps, request, 'There is no account with this `account_token`: check the script on your page');
  return { account };
}

async function accountByVisit(
  deps: PageDependencies,
  { visit_token: token }: Params,
  request: HttpRequest,
): Promise<PageCaller> {
  const { publishedCache, now } = deps.app;
  if (typeof token !== 'string' || token === '')
    throw forbidden('Give the token of the visit, as `POST /v3/observe/visits` answered it, as `visit_token`');
  const read = readVisit(token);
  const account = read && (await publishedCache.account(read.visit.accountId));
  if (!account || !read.isSignedBy(account.visitKey))
    throw wrongToken(deps, request, 'This `visit_token` is not valid');
  const { visit } = read;
  if (isVisitOver(visit, now())) throw visitIsOver();
  if (visit.isProven) return { account, visit };
  // The account may require a proof since, and no page load may have told this process.
  const current = await currentAccount(contextOf(deps.app, account), account);
  if (current.requireUidHash) throw unproven();
  return { account: current, visit };
}

/** A client that sends many of them is guessing. */
function wrongToken({ limits }: PageDependencies, { ip }: HttpRequest, message: string): ApiError {
  limits.countWrong(ip);
  return forbidden(message);
}

/** The public token may be left out then; a wrong one is still wrong. */
async function accountBySecret(deps: PageDependencies, params: Params, request: HttpRequest): Promise<PageCaller> {
  const { app, admit } = deps;
  const { account } = await admit(request.headers['x-account-secret'] || params.account_secret, request);
  const named = params.account_token === undefined ? undefined : await accountByToken(deps, params, request);
  if (named && named.account.id !== account.id)
    throw forbidden('`account_token` and the secret are of different accounts');
  const published = named?.account ?? (await app.publishedCache.account(account.id));
  if (!published) throw forbidden('This account is gone');
  return { account: published };
}

const contexts = new WeakMap<PublishedAccount, Context>();

/** The same for all pages of an account: making one takes as long as a small query. */
function contextOf(app: AppContext, account: PublishedAccount): Context {
  const ctx = contexts.get(account) ?? createContext(app, { account: { id: account.id }, actor: anonymous });
  contexts.set(account, ctx);
  return ctx;
}

const hostOfOrigin = memoize(parsePageHost);

/** Most pages are on hosts that were asked for a moment ago: reading one anew takes as long as a small query. */
function hostOf(address: unknown): Host | undefined {
  const [origin] = (typeof address === 'string' && /^[^/]*\/\/[^/?#]*/.exec(address)) || [];
  return origin === undefined ? undefined : hostOfOrigin(origin);
}
