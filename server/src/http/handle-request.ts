import { isId } from '@usher/domain';
import { type AppContext, createContext } from '../context.ts';
import { ApiError, forbidden, invalid, notFound, tooLarge } from '../errors.ts';
import { isJson, readBody } from './body.ts';
import { FileResponse } from './file-response.ts';
import { type HttpRequest, MAX_BODY, takeInBody } from './http-request.ts';
import { type HttpResponse, jsonResponse, responseWith } from './http-response.ts';
import type { Admit } from './limits.ts';
import { mergeParams } from './params.ts';
import { queryOf } from './query-string.ts';
import type { LargeBodyQueues, RequestQueues } from './request-queues.ts';
import type { Route, UploadedFile } from './route.ts';
import type { Handler } from './server.ts';
import { statusOf } from './status.ts';

export interface RequestDependencies {
  app: AppContext;
  admit: Admit;
  requestQueues: RequestQueues;
}

/** How large bodies are taken in, and where they are until they are answered. */
export interface LargeBodies<Taken> {
  queues: LargeBodyQueues;
  takeIn(request: HttpRequest): Promise<Taken>;
  parseParams(request: HttpRequest, taken: Taken): Promise<Collected>;
  forget(taken: Taken): void | Promise<void>;
}

/** From a request to its answer: who asks, what with, then the verb. */
export function handleWith(deps: RequestDependencies, route: Route): Handler {
  return (request) => {
    deps.requestQueues.requestActivity.note();
    return answer(deps, route, request, () => collectSmall(request, deps.requestQueues));
  };
}

/**
 * The same of requests that are large: only the account's own secret gets a place for one, and nothing is written to the
 * disk before that.
 */
export function handleLarge<Taken>(deps: RequestDependencies, route: Route, bodies: LargeBodies<Taken>): Handler {
  return async (request) => {
    const { response } = request;
    const accountId = await accountOfLarge(deps, request);
    return bodies.queues.held.run(accountId, response, async () => {
      const taken = await bodies.takeIn(request);
      try {
        const store = () => answer(deps, route, request, () => bodies.parseParams(request, taken));
        return await bodies.queues.stored.run(accountId, response, store);
      } finally {
        await bodies.forget(taken);
      }
    });
  };
}

/** Whose it is. A secret that is nowhere but in the body is looked for in memory, and only in a small body. */
async function accountOfLarge({ admit, requestQueues }: RequestDependencies, request: HttpRequest): Promise<string> {
  const { headers, params, url, mediaType } = request;
  const secret = headers['x-account-secret'] || params.account_secret || queryOf(url).account_secret;
  if (secret) return (await admit(secret, request)).account.id;
  request.receivedBody = await takeInBody(request, { size: MAX_BODY, patience: requestQueues.patience }).catch(
    (error) => {
      throw error instanceof ApiError && error.code === 413 ? secretNeeded() : error;
    },
  );
  const fields: { account_secret?: unknown } = await readBody(request.receivedBody, mediaType);
  return (await admit(fields.account_secret, request)).account.id;
}

function secretNeeded(): ApiError {
  return tooLarge('The body is larger than 1 MB: give the account secret in the header `X-Account-Secret` then');
}

async function answer(
  { app, admit, requestQueues }: RequestDependencies,
  route: Route,
  request: HttpRequest,
  collectParameters: () => Promise<Collected>,
): Promise<HttpResponse> {
  const header = request.headers['x-account-secret'];
  // A wrong header, or one that came too often, is refused before the body is even looked at.
  let caller = header ? await admit(header, request) : undefined;
  const { input, json, hasList, files, run: runCollected = route.run } = await collectParameters();
  caller ??= await admit(input.account_secret, request);
  request.accountId = caller.account.id;
  if (route.access === 'write' && caller.actor.role === 'viewer') {
    throw forbidden('This secret is of an administrator who may only look: ask an owner or editor');
  }

  for (const name of route.pathParameters)
    if (name.endsWith('id') && !isId(request.params[name] ?? '')) throw notFound('resource');
  const reading = route.read(input, app.now(), route.isIngestion ? undefined : json);
  if ('problems' in reading) throw invalid(...reading.problems);

  const unknown = route.findUnknown?.(input, request.params) ?? noUnknown;
  if (unknown.length > 0 && isStrict(input.strict)) throw invalid(...textsOf(unknown));

  if (route.batch && !hasList) throw invalid(`\`${route.batch}\` is required: give a list`);

  const ctx = createContext(app, caller);
  const run = () => runCollected(ctx, withPath(route, reading.value, request.params), undefined, files);
  const answered = await requestQueues.heavyReads.run(route.path, ctx.account.id, request.response, run);
  const status = statusOf(answered) ?? route.status;
  if (answered instanceof FileResponse) return sendFile(status, answered);
  const warned =
    unknown.length === 0 ? answered : { ...(answered as object), warnings: textsOf(unknown, ', and is ignored') };
  return jsonResponse(status, warned);
}

const noUnknown: readonly string[] = [];
const MAX_WARNINGS = 20;
const MAX_NAME = 200;

function textsOf(unknown: readonly string[], rest = ''): string[] {
  const texts = unknown
    .slice(0, MAX_WARNINGS)
    .map((path) => `\`${path.slice(0, MAX_NAME).toWellFormed()}\` is no parameter of this endpoint${rest}`);
  if (unknown.length <= MAX_WARNINGS) return texts;
  return [...texts, `${unknown.length - MAX_WARNINGS} others are no parameters of this endpoint either`];
}

function isStrict(input: unknown): boolean {
  if (input === undefined || input === false || input === 'false') return false;
  if (input === true || input === 'true') return true;
  throw invalid('`strict` must be `true` or `false`');
}

function withPath(
  { pathParameters }: Route,
  value: Record<string, unknown>,
  { account_secret: _, ...path }: HttpRequest['params'],
): Record<string, unknown> {
  return pathParameters.length === 0 ? value : { ...value, ...path };
}

function sendFile(status: number, { mediaType, body, name, headers }: FileResponse): HttpResponse {
  const kept = name === undefined ? {} : { 'content-disposition': `attachment; filename="${name}"` };
  return responseWith(status, body, { 'content-type': mediaType, ...kept, ...headers });
}

export interface Collected {
  input: Record<string, unknown>;
  /** The fields of a body that is JSON. */
  json?: object | undefined;
  /** Of a batch. */
  hasList?: boolean;
  /** Of a form with files. */
  files?: readonly UploadedFile[];
  /** What runs instead of the route, where the list is in another thread. */
  run?: Route['run'];
}

async function collectSmall(request: HttpRequest, { patience }: RequestQueues): Promise<Collected> {
  const { url, params, mediaType } = request;
  const body = await takeInBody(request, { size: MAX_BODY, patience });
  const fields = await readBody(body, mediaType);
  return { input: mergeParams(url, fields, params), json: isJson(body) ? fields : undefined };
}
