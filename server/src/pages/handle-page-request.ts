import { type Host, memoize, parsePageHost } from '@usher/domain';
import { ApiError, invalid } from '../errors.ts';
import { parseBody } from '../http/body.ts';
import type { Handler } from '../http/endpoint.ts';
import { EventStream } from '../http/event-stream.ts';
import { requireSpace } from '../http/handle-request.ts';
import { HttpResponse, jsonResponse, responseWith } from '../http/http-response.ts';
import { queryOf } from '../http/query-string.ts';
import { receiveBody } from '../http/receive.ts';
import type { RequestQueues } from '../http/request-queues.ts';
import { admitHost, noHost, noOrigin } from './admit-host.ts';
import {
  authenticateByDebugToken,
  authenticateByPick,
  authenticateBySecret,
  authenticateByTicket,
  authenticateByToken,
  authenticateByVisit,
  contextOf,
  type PageAuthentication,
} from './authenticate-page.ts';
import { currentAccount } from './current-account.ts';
import { JsonBytes } from './json-bytes.ts';
import { logRejection } from './log-rejection.ts';
import type { PageRoute } from './page-route.ts';
import { checkPickHost } from './pick-token.ts';
import type { ReportBudget } from './report-budget.ts';

/** A page needs less than this to describe a user. An API client may send far more. */
const MAX_PAGE_BODY = 128 * 1024;

interface PageDependencies extends PageAuthentication {
  requestQueues: RequestQueues;
  reportBudget: ReportBudget;
}

const authenticateBy = {
  account: authenticateByToken,
  visit: authenticateByVisit,
  debug: authenticateByDebugToken,
  pick: authenticateByPick,
  ticket: authenticateByTicket,
};

/** Handles a request of a page: authenticates it, checks the host of the page, and runs the verb of the route. */
export function handlePageRequest(route: PageRoute, deps: PageDependencies): Handler {
  const { app, limits, requestQueues, reportBudget } = deps;
  const bodyLimits = { size: MAX_PAGE_BODY, timeout: requestQueues.bodyTimeout };
  const authenticateByNeeds = authenticateBy[route.needs];
  return async (request) => {
    limits.countPage(request.ip);
    requestQueues.requestActivity.recordRequest();
    requireSpace(app, route, request);
    const { url, headers } = request;
    const fields = await parseBody(await receiveBody(request, bodyLimits), request.mediaType);
    const params: Record<string, unknown> = Object.assign(Object.create(null), queryOf(url), fields);
    const reading = route.read(params, app.now());
    const bySecret = 'value' in reading && route.bySecret(reading.value);
    const authenticate = bySecret ? authenticateBySecret : authenticateByNeeds;
    const caller = await authenticate(deps, params, request);
    const { visit, pick, ticket } = caller;
    let { account } = caller;
    request.accountId = account.id;

    const host = route.byOrigin ? webHostOf(headers.origin) : (hostOf(headers.origin) ?? hostOf(params.href));
    const userAgent = headers['user-agent'];
    try {
      if ('problems' in reading) throw invalid(...reading.problems);
      const ctx = contextOf(app, account);
      if (!host && route.byOrigin) throw noOrigin();
      // An administrator who turns a domain off expects that nobody edits on it from now on, not a moment later.
      if (route.byOrigin) account = await currentAccount(ctx, account);
      if (host && !bySecret) account = await admitHost(ctx, account, host);
      else if (!visit && !bySecret) throw noHost();
      if (pick) checkPickHost(pick, host);
      const acceptLanguage = headers['accept-language'];
      const { ip } = request;
      const page = {
        ...{ ctx, account, visit, pick, ticket, host, acceptLanguage, userAgent },
        ...{ bySecret, reportBudget, limits, ip },
      };
      return toResponse(route, await route.run(page, reading.value));
    } catch (error) {
      if (error instanceof ApiError && route.logsAs && !bySecret)
        await logRejection(app, { id: account.id, kind: route.logsAs, host, visit, userAgent, params, error });
      throw error;
    }
  };
}

function toResponse(route: PageRoute, result: unknown): HttpResponse {
  if (result instanceof EventStream) return result;
  return result instanceof JsonBytes
    ? new HttpResponse(route.status, result.bytes)
    : jsonResponse(route.status, result as object);
}

/** Responds with the methods and headers that a page of another origin may use. */
export const handlePreflight =
  ({ methods }: PageRoute): Handler =>
  async ({ incoming }) => {
    // The body of a preflight is discarded, because nothing in it matters.
    incoming.resume();
    return responseWith(204, '', {
      'access-control-allow-methods': methods.join(),
      'access-control-allow-headers': 'content-type',
      'access-control-max-age': 86400,
    });
  };

const hostOfOrigin = memoize(parsePageHost);

/** Most pages are on the same few hosts, and parsing one takes as long as a small query: results are memoized. */
function hostOf(address: unknown): Host | undefined {
  const [origin] = (typeof address === 'string' && /^[^/]*\/\/[^/?#]*/.exec(address)) || [];
  return origin === undefined ? undefined : hostOfOrigin(origin);
}

/**
 * Returns the host of a web page. The origin of an app in a native shell does not count, because the app can choose any
 * host.
 */
function webHostOf(origin: string | undefined): Host | undefined {
  // Browsers send only a scheme, a host and a port.
  return /^https?:\/\/[^/?#@\\]+$/i.test(origin ?? '') ? hostOf(origin) : undefined;
}
