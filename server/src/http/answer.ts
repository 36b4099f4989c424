import { isId, toList } from '@usher/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Authenticate, createContext, type World } from '../context.ts';
import { forbidden, invalid, notFound, tooLarge } from '../errors.ts';
import type { BatchItems } from './batch.ts';
import { readBody } from './body.ts';
import { readJsonBatch } from './json-batch.ts';
import { parseQueryString } from './query-string.ts';
import type { Route } from './route.ts';

/** From a request to its answer: who asks, what with, then the verb. */
export function answerWith(world: World, authenticate: Authenticate, route: Route) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const header = request.headers['x-account-secret'];
    // A wrong header is refused before the body is even looked at.
    let caller = header ? await authenticate(header) : undefined;
    const { given, items } = await collectParameters(request, route.batch);
    caller ??= await authenticate(given.account_secret);
    request.accountId = caller.account.id;
    if (route.access === 'write' && caller.actor.role === 'viewer') {
      throw forbidden('This secret is of an administrator who may only look: ask an owner or editor');
    }

    const { account_secret: _, ...path } = request.params as Record<string, string>;
    for (const name of route.pathParameters)
      if (name.endsWith('id') && !isId(path[name] ?? '')) throw notFound('resource');
    const reading = route.read(given, world.now());
    if ('problems' in reading) throw invalid(...reading.problems);

    if (route.batch && !items) throw invalid(`\`${route.batch}\` is required: give a list`);

    const ctx = createContext(world, caller);
    const answer = await route.run(ctx, { ...reading.value, ...path }, items);
    reply.code(route.status);
    return answer;
  };
}

interface Collected {
  given: Record<string, unknown>;
  /** Of a batch. */
  items?: BatchItems | undefined;
}

/** Path, query and body are one set: the path wins over the body, the body over the query. */
async function collectParameters(request: FastifyRequest, batch: string | undefined): Promise<Collected> {
  const query = readQuery(request);
  const body = request.body as Buffer | undefined;
  // Without a prototype, `__proto__` is a key like any other.
  const collect = (fields: object) => Object.assign(Object.create(null), query, fields, request.params);
  if (!batch) return { given: collect(await readBody(body, request.givenMediaType)) };
  if (!looksLikeJson(body)) {
    const given = collect(await readBody(body, request.givenMediaType));
    const list = toList(given[batch], false);
    return { given, items: list && { count: list.length, slice: (start, end) => list.slice(start, end) } };
  }
  const { fields, count, slice } = await readJsonBatch(body, batch);
  return { given: collect(fields), items: count === undefined ? undefined : { count, slice } };
}

function readQuery(request: FastifyRequest): Record<string, unknown> {
  const url = request.raw.url ?? '';
  const at = url.indexOf('?');
  return at < 0 ? {} : parseQueryString(url.slice(at + 1));
}

function looksLikeJson(body: Buffer | undefined): body is Buffer {
  return body !== undefined && /^\ufeff?\s*[{[]/.test(body.toString('utf8', 0, 100));
}

/** Of a body that is not yet known to be anyone's. */
const LARGEST_UNKNOWN_BODY = 1024 * 1024;
const BATCHES_AT_ONCE = 2;

/**
 * Before the body of a batch is taken in: whose it is, and whether there is room for it. Bodies are held whole until
 * they are stored, so that a broken one changes nothing; this many at a time keep the memory flat.
 */
export function admitBatches(authenticate: Authenticate) {
  const turns = new Turns(BATCHES_AT_ONCE);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { account_secret: inPath } = request.params as Record<string, string>;
    const secret = request.headers['x-account-secret'] || inPath || readQuery(request).account_secret;
    if (secret) await authenticate(secret);
    else if (!(Number(request.headers['content-length'] ?? Number.NaN) <= LARGEST_UNKNOWN_BODY))
      throw tooLarge('The body is larger than 1 MB: give the account secret in the header `X-Account-Secret` then');
    const done = await turns.take();
    // Whoever left while waiting needs no turn.
    if (reply.raw.closed || reply.raw.destroyed) done();
    else reply.raw.once('close', done);
  };
}

/** Lets a few in at a time, in the order they came. */
class Turns {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number) {
    this.#free = most;
  }

  /** Resolves when it is this one's turn, with what ends it. */
  async take(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return () => {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    };
  }
}
