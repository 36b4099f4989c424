import { isId } from '@usher/domain';
import type { AppContext, Caller, Context } from '../context.ts';
import { createContext } from '../create-context.ts';
import { ApiError, invalid, notFound, tooLarge } from '../errors.ts';
import { isJson, parseBody } from './body.ts';
import { checkCaller } from './check-caller.ts';
import type { ShowCreated } from './created-record.ts';
import { checkConfirmation } from './dangerous-changes.ts';
import type { Handler } from './endpoint.ts';
import { conditionalResponse, isKnown } from './etag.ts';
import { FileResponse } from './file-response.ts';
import { type CallerDependencies, findBySession, findCaller, sessionNeeded } from './find-caller.ts';
import { growsData } from './grows-data.ts';
import type { HttpRequest } from './http-request.ts';
import { flatten, HttpResponse, jsonResponse, responseWith } from './http-response.ts';
import { hashRequest, type KeyedRequest, readIdempotencyKey } from './idempotency-key.ts';
import { mergeParams } from './params.ts';
import { queryOf } from './query-string.ts';
import { MAX_BODY, receiveBody } from './receive.ts';
import { RequestInfo } from './request-info.ts';
import type { LargeBodyQueues, RequestQueues } from './request-queues.ts';
import { ResponseWithStatus, type Route, type UploadedFile } from './route.ts';
import { runOnce } from './run-once.ts';

export interface RequestDependencies extends CallerDependencies {
  requestQueues: RequestQueues;
}

/** How the large bodies of one kind are received, and where they are kept until the request is done. */
export interface LargeBodies<Body> {
  queues: LargeBodyQueues;
  receive(request: HttpRequest): Promise<Body>;
  parse(request: HttpRequest, body: Body): Promise<ParsedRequest>;
  discard(body: Body): void | Promise<void>;
}

/** The parameters of a request, and what else its body holds. */
export interface ParsedRequest {
  input: Record<string, unknown>;
  /** The fields of the body, if it is JSON. */
  json?: object | undefined;
  /** Whether a batch has its list of items. */
  hasList?: boolean;
  /** The files of an upload. */
  files?: readonly UploadedFile[];
  /** Runs instead of the route if the items are in another thread. */
  run?: Route['run'];
}

/**
 * Handles a request: authenticates it, reads its parameters, and runs the verb of the route.
 * @param showCreated for a route that creates records: lets it take an `Idempotency-Key`
 */
export function handleRequest(deps: RequestDependencies, route: Route, showCreated?: ShowCreated): Handler {
  return (request) => {
    deps.requestQueues.requestActivity.recordRequest();
    return runRoute(deps, route, request, () => parseSmallRequest(request, deps.requestQueues), showCreated);
  };
}

/**
 * Handles a request with a large body. The caller is checked before any of the body is accepted or written to the disk.
 */
export function handleLargeRequest<Body>(
  deps: RequestDependencies,
  route: Route,
  { queues, receive, parse, discard }: LargeBodies<Body>,
): Handler {
  return async (request) => {
    const caller = await authenticateLargeRequest(deps, request);
    checkCaller(route, caller, request.ip);
    requireSpace(deps.app, route, request);
    const accountId = caller.account.id;
    return queues.accepted.run(accountId, request, async () => {
      const body = await receive(request);
      try {
        return await queues.processing.run(accountId, request, () =>
          runRoute(deps, route, request, () => parse(request, body)),
        );
      } finally {
        await discard(body);
      }
    });
  };
}

/**
 * Returns the caller. If the secret is only in the body, the body must be small enough for memory. With the cookie of a
 * session, the body is not searched for a secret here. A secret in it still wins when the whole request is read.
 */
async function authenticateLargeRequest(deps: RequestDependencies, request: HttpRequest): Promise<Caller> {
  const { authenticate, requestQueues } = deps;
  const { headers, params, url, mediaType } = request;
  const secret = headers['x-account-secret'] || params.account_secret || queryOf(url).account_secret;
  if (secret) return authenticate(secret, request);
  const bySession = await findBySession(deps, request);
  if (bySession) return bySession;
  request.receivedBody = await receiveBody(request, { size: MAX_BODY, timeout: requestQueues.bodyTimeout }).catch(
    (error) => {
      throw error instanceof ApiError && error.code === 413 ? secretNeeded() : error;
    },
  );
  const fields: { account_secret?: unknown } = await parseBody(request.receivedBody, mediaType);
  return authenticate(fields.account_secret, request);
}

function secretNeeded(): ApiError {
  return tooLarge('The body is larger than 1 MB: give the account secret in the header `X-Account-Secret` then');
}

async function runRoute(
  deps: RequestDependencies,
  route: Route,
  request: HttpRequest,
  parseRequest: () => Promise<ParsedRequest>,
  showCreated?: ShowCreated,
): Promise<HttpResponse> {
  const { app, requestQueues } = deps;
  const header = request.headers['x-account-secret'];
  if (header && route.forSession) throw sessionNeeded();
  if (route.forSession && request.method !== 'GET') rejectParamsInUrl(route, request);
  // A wrong secret in the header, or one above its limit, is rejected before the body is read.
  let caller = header ? await deps.authenticate(header, request) : undefined;
  const { input, json, hasList, files, run = route.run } = await parseRequest();
  caller ??= await findCaller(deps, route, request, input.account_secret);
  request.accountId = caller.account.id;
  checkCaller(route, caller, request.ip);
  requireSpace(app, route, request);

  for (const name of route.pathParameters)
    if (name.endsWith('id') && !isId(request.params[name] ?? '')) throw notFound('resource');
  const reading = route.read(input, app.now(), route.isIngestion ? undefined : json);
  if ('problems' in reading) throw invalid(...reading.problems);

  const unknown = route.findUnknown?.(input, request.params) ?? noUnknown;
  if (unknown.length > 0 && isStrict(input.strict)) throw invalid(...describeUnknown(unknown));

  if (route.batch && !hasList) throw invalid(`\`${route.batch}\` is required: give a list`);

  const info = new RequestInfo(request, app.publicUrl, route);
  const ctx = createContext(app, caller, info);
  const params = withPathParams(route, reading.value, request.params);
  checkConfirmation(request.method, route.path, params, caller.actor, app.now());
  const keyed = showCreated && readKeyedRequest(route, request, caller, input);
  const result = await requestQueues.heavyReads.run({ path: route.path, params }, ctx.account.id, request, () =>
    keyed ? createOnce(ctx, route, params, keyed, showCreated) : run(ctx, params, undefined, files),
  );
  const response = await respond(route, request, result, listWarnings(route, unknown, params));
  const { dataAgeMs } = info;
  return dataAgeMs === undefined
    ? response
    : withHeaders(response, { 'usher-data-age': String(Math.ceil(dataAgeMs / 1000)) });
}

/** Undefined without an `Idempotency-Key`, or without a secret. */
function readKeyedRequest(
  { path }: Route,
  request: HttpRequest,
  { actor }: Caller,
  input: Record<string, unknown>,
): KeyedRequest | undefined {
  if (!actor.secret) return undefined;
  const key = readIdempotencyKey(request);
  if (key === undefined) return undefined;
  const value = String(request.headers['x-account-secret'] || input.account_secret);
  return hashRequest({ id: actor.secret.id, value }, key, path, input);
}

async function createOnce(
  ctx: Context,
  route: Route,
  params: Record<string, unknown>,
  keyed: KeyedRequest,
  showCreated: ShowCreated,
): Promise<ResponseWithStatus<object>> {
  const { status, body, isRepeat } = await runOnce(
    ctx,
    keyed,
    async (ctx) => outcomeOf(route, await route.run(ctx, params)),
    (ctx, id) => showCreated(ctx, params, id),
  );
  return new ResponseWithStatus(status, body, isRepeat ? { 'idempotency-replayed': 'true' } : {});
}

function outcomeOf({ status }: Route, result: unknown): { status: number; body: object } {
  return result instanceof ResponseWithStatus ? result : { status, body: result as object };
}

async function respond(
  route: Route,
  request: HttpRequest,
  result: unknown,
  warnings: readonly string[],
): Promise<HttpResponse> {
  const { status, body } = outcomeOf(route, result);
  if (body instanceof FileResponse) return fileResponse(request, status, body);
  const complete = warnings.length === 0 ? body : addWarnings(body, warnings);
  if (result instanceof ResponseWithStatus && Object.keys(result.headers).length > 0)
    return withHeaders(jsonResponse(status, complete), result.headers);
  const isConditional = status === 200 && (request.method === 'GET' || request.method === 'HEAD');
  return isConditional ? conditionalResponse(request, complete) : jsonResponse(status, complete);
}

function addWarnings(body: object & { warnings?: readonly string[] }, warnings: readonly string[]): object {
  return { ...body, warnings: [...(body.warnings ?? []), ...warnings] };
}

function withHeaders({ status, body, headers }: HttpResponse, more: Record<string, string>): HttpResponse {
  return new HttpResponse(status, body, [...headers, ...flatten(more)]);
}

/** Handles a request to an endpoint that is open to everybody. */
export function handleOpenRequest(
  deps: RequestDependencies,
  route: Route,
  runOpen: NonNullable<Route['runOpen']>,
): Handler {
  return async (request) => {
    deps.requestQueues.requestActivity.recordRequest();
    const info = new RequestInfo(request, deps.app.publicUrl);
    info.cookie.checkTransport();
    info.cookie.checkOrigin();
    rejectParamsInUrl(route, request);
    const { input, json } = await parseSmallRequest(request, deps.requestQueues);
    const reading = route.read(input, deps.app.now(), json);
    if ('problems' in reading) throw invalid(...reading.problems);
    const findCaller = () => findBySession(deps, request).catch(ignoreEndedSession);
    return respond(route, request, await runOpen({ app: deps.app, request: info, findCaller }, reading.value), []);
  };
}

/** Rejects a write that grows the data while the disk is nearly full. */
export function requireSpace(
  { disk }: Pick<AppContext, 'disk'>,
  route: Pick<Route, 'permission' | 'runsOnFullDisk'>,
  { method, headers }: Pick<HttpRequest, 'method' | 'headers'>,
): void {
  if (!growsData(route, method)) return;
  disk.requireSpace();
  disk.noteBytes(Number(headers['content-length'] ?? 0));
}

/** Passwords and tokens belong in the body: a URL gets into logs, and into the history of the browser. */
function rejectParamsInUrl({ parameters }: Route, { url }: HttpRequest): void {
  const inUrl = Object.keys(queryOf(url)).filter((name) => Object.hasOwn(parameters.properties ?? {}, name));
  if (inUrl.length > 0) throw invalid(...inUrl.map((name) => `\`${name}\` belongs in the body, not in the URL`));
}

function ignoreEndedSession(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.code !== 401) throw error;
}

const noUnknown: readonly string[] = [];
const MAX_WARNINGS = 20;
const MAX_NAME = 200;

function describeUnknown(unknown: readonly string[], rest = ''): string[] {
  const texts = unknown
    .slice(0, MAX_WARNINGS)
    .map((path) => `\`${path.slice(0, MAX_NAME).toWellFormed()}\` is no parameter of this endpoint${rest}`);
  if (unknown.length <= MAX_WARNINGS) return texts;
  return [...texts, `${unknown.length - MAX_WARNINGS} others are no parameters of this endpoint either`];
}

function listWarnings(route: Route, unknown: readonly string[], params: Record<string, unknown>): readonly string[] {
  const others = route.warnOf(params);
  return unknown.length === 0 ? others : [...describeUnknown(unknown, ', and is ignored'), ...others];
}

function isStrict(input: unknown): boolean {
  if (input === undefined || input === false || input === 'false') return false;
  if (input === true || input === 'true') return true;
  throw invalid('`strict` must be `true` or `false`');
}

function withPathParams(
  { pathParameters }: Route,
  value: Record<string, unknown>,
  { account_secret: _, ...path }: HttpRequest['params'],
): Record<string, unknown> {
  return pathParameters.length === 0 ? value : { ...value, ...path };
}

function fileResponse(
  request: HttpRequest,
  status: number,
  { mediaType, body, name, headers }: FileResponse,
): HttpResponse {
  if (headers.etag !== undefined && isKnown(request, headers.etag)) return responseWith(304, '', headers);
  const download = name === undefined ? {} : { 'content-disposition': `attachment; filename="${name}"` };
  return responseWith(status, body, { 'content-type': mediaType, ...download, ...headers });
}

async function parseSmallRequest(request: HttpRequest, { bodyTimeout }: RequestQueues): Promise<ParsedRequest> {
  const { url, params, mediaType } = request;
  const body = await receiveBody(request, { size: MAX_BODY, timeout: bodyTimeout });
  const fields = await parseBody(body, mediaType);
  return { input: mergeParams(url, fields, params), json: isJson(body) ? fields : undefined };
}
