import { isId } from '@usher/domain';
import { createContext, type World } from '../context.ts';
import { forbidden, invalid, notFound, Refusal, tooLarge } from '../errors.ts';
import { isJson, readBody } from './body.ts';
import { FileAnswer } from './file-response.ts';
import { type Asked, LARGEST_BODY, takeInBody } from './http-request.ts';
import { jsonReply, type Reply, replyWith } from './http-response.ts';
import type { Admit } from './limits.ts';
import { unite } from './params.ts';
import { queryOf } from './query-string.ts';
import type { LargeBodyQueues, Traffic } from './request-queues.ts';
import type { Route, UploadedFile } from './route.ts';
import type { Handler } from './server.ts';
import { statusOf } from './status.ts';

export interface AnswerGround {
  world: World;
  admit: Admit;
  traffic: Traffic;
}

/** How large bodies are taken in, and where they are until they are answered. */
export interface LargeBodies<Taken> {
  queues: LargeBodyQueues;
  takeIn(asked: Asked): Promise<Taken>;
  collect(asked: Asked, taken: Taken): Promise<Collected>;
  forget(taken: Taken): void | Promise<void>;
}

/** From a request to its answer: who asks, what with, then the verb. */
export function answerWith(ground: AnswerGround, route: Route): Handler {
  return (asked) => {
    ground.traffic.others.note();
    return answer(ground, route, asked, () => collectSmall(asked, ground.traffic));
  };
}

/**
 * The same of requests that are large: only the account's own secret gets a place for one, and nothing is written to the
 * disk before that.
 */
export function answerLarge<Taken>(ground: AnswerGround, route: Route, bodies: LargeBodies<Taken>): Handler {
  return async (asked) => {
    const { response } = asked;
    const accountId = await accountOfLarge(ground, asked);
    return bodies.queues.held.run(accountId, response, async () => {
      const taken = await bodies.takeIn(asked);
      try {
        const store = () => answer(ground, route, asked, () => bodies.collect(asked, taken));
        return await bodies.queues.stored.run(accountId, response, store);
      } finally {
        await bodies.forget(taken);
      }
    });
  };
}

/** Whose it is. A secret that is nowhere but in the body is looked for in memory, and only in a small body. */
async function accountOfLarge({ admit, traffic }: AnswerGround, asked: Asked): Promise<string> {
  const { headers, params, url, mediaType } = asked;
  const secret = headers['x-account-secret'] || params.account_secret || queryOf(url).account_secret;
  if (secret) return (await admit(secret, asked)).account.id;
  asked.receivedBody = await takeInBody(asked, { size: LARGEST_BODY, patience: traffic.patience }).catch((error) => {
    throw error instanceof Refusal && error.code === 413 ? secretNeeded() : error;
  });
  const fields: { account_secret?: unknown } = await readBody(asked.receivedBody, mediaType);
  return (await admit(fields.account_secret, asked)).account.id;
}

function secretNeeded(): Refusal {
  return tooLarge('The body is larger than 1 MB: give the account secret in the header `X-Account-Secret` then');
}

async function answer(
  { world, admit, traffic }: AnswerGround,
  route: Route,
  asked: Asked,
  collectParameters: () => Promise<Collected>,
): Promise<Reply> {
  const header = asked.headers['x-account-secret'];
  // A wrong header, or one that came too often, is refused before the body is even looked at.
  let caller = header ? await admit(header, asked) : undefined;
  const { given, json, hasList, files, run: runCollected = route.run } = await collectParameters();
  caller ??= await admit(given.account_secret, asked);
  asked.accountId = caller.account.id;
  if (route.access === 'write' && caller.actor.role === 'viewer') {
    throw forbidden('This secret is of an administrator who may only look: ask an owner or editor');
  }

  for (const name of route.pathParameters)
    if (name.endsWith('id') && !isId(asked.params[name] ?? '')) throw notFound('resource');
  const reading = route.read(given, world.now(), route.isIngestion ? undefined : json);
  if ('problems' in reading) throw invalid(...reading.problems);

  const unknown = route.findUnknown?.(given, asked.params) ?? noUnknown;
  if (unknown.length > 0 && isStrict(given.strict)) throw invalid(...textsOf(unknown));

  if (route.batch && !hasList) throw invalid(`\`${route.batch}\` is required: give a list`);

  const ctx = createContext(world, caller);
  const run = () => runCollected(ctx, withPath(route, reading.value, asked.params), undefined, files);
  const answered = await traffic.heavyReads.inTurn(route.path, ctx.account.id, asked.response, run);
  const status = statusOf(answered) ?? route.status;
  if (answered instanceof FileAnswer) return sendFile(status, answered);
  const warned =
    unknown.length === 0 ? answered : { ...(answered as object), warnings: textsOf(unknown, ', and is ignored') };
  return jsonReply(status, warned);
}

const noUnknown: readonly string[] = [];
const MOST_WARNINGS = 20;
const LONGEST_NAME = 200;

function textsOf(unknown: readonly string[], rest = ''): string[] {
  const texts = unknown
    .slice(0, MOST_WARNINGS)
    .map((path) => `\`${path.slice(0, LONGEST_NAME).toWellFormed()}\` is no parameter of this endpoint${rest}`);
  if (unknown.length <= MOST_WARNINGS) return texts;
  return [...texts, `${unknown.length - MOST_WARNINGS} others are no parameters of this endpoint either`];
}

function isStrict(given: unknown): boolean {
  if (given === undefined || given === false || given === 'false') return false;
  if (given === true || given === 'true') return true;
  throw invalid('`strict` must be `true` or `false`');
}

function withPath(
  { pathParameters }: Route,
  value: Record<string, unknown>,
  { account_secret: _, ...path }: Asked['params'],
): Record<string, unknown> {
  return pathParameters.length === 0 ? value : { ...value, ...path };
}

function sendFile(status: number, { mediaType, body, name, headers }: FileAnswer): Reply {
  const kept = name === undefined ? {} : { 'content-disposition': `attachment; filename="${name}"` };
  return replyWith(status, body, { 'content-type': mediaType, ...kept, ...headers });
}

export interface Collected {
  given: Record<string, unknown>;
  /** The fields of a body that is JSON. */
  json?: object | undefined;
  /** Of a batch. */
  hasList?: boolean;
  /** Of a form with files. */
  files?: readonly UploadedFile[];
  /** What runs instead of the route, where the list is in another thread. */
  run?: Route['run'];
}

async function collectSmall(asked: Asked, { patience }: Traffic): Promise<Collected> {
  const { url, params, mediaType } = asked;
  const body = await takeInBody(asked, { size: LARGEST_BODY, patience });
  const fields = await readBody(body, mediaType);
  return { given: unite(url, fields, params), json: isJson(body) ? fields : undefined };
}
