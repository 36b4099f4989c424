import { isId } from '@usher/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Authenticate, createContext, type World } from '../context.ts';
import { forbidden, invalid, notFound } from '../errors.ts';
import { readBody } from './body.ts';
import { parseQueryString } from './query-string.ts';
import type { Route } from './route.ts';

/** From a request to its answer: who asks, what with, then the verb. */
export function answerWith(world: World, authenticate: Authenticate, route: Route) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const header = request.headers['x-account-secret'];
    // A wrong header is refused before the body is even looked at.
    let caller = header ? await authenticate(header) : undefined;
    const given = await collectParameters(request);
    caller ??= await authenticate(given.account_secret);
    request.accountId = caller.account.id;
    if (route.access === 'write' && caller.actor.role === 'viewer') {
      throw forbidden('This secret is of an administrator who may only look: ask an owner or editor');
    }

    const path = request.params as Record<string, string>;
    for (const name of route.pathParameters) if (!isId(path[name] ?? '')) throw notFound('resource');
    const reading = route.read(given, world.now());
    if ('problems' in reading) throw invalid(...reading.problems);

    const ctx = createContext(world, caller);
    const answer = await route.run(ctx, { ...reading.value, ...path });
    reply.code(route.status);
    return answer;
  };
}

/** Path, query and body are one set: the path wins over the body, the body over the query. */
async function collectParameters(request: FastifyRequest): Promise<Record<string, unknown>> {
  const url = request.raw.url ?? '';
  const at = url.indexOf('?');
  const query = at < 0 ? {} : parseQueryString(url.slice(at + 1));
  const body = await readBody(request.body as Buffer | undefined, request.givenMediaType);
  // Without a prototype, `__proto__` is a key like any other.
  return Object.assign(Object.create(null), query, body, request.params);
}
