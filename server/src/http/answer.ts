import type { Readable } from 'node:stream';
import { isId, toList } from '@usher/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createContext, type World } from '../context.ts';
import { forbidden, invalid, notFound } from '../errors.ts';
import type { BatchItems } from './batch.ts';
import { readBody } from './body.ts';
import { FileAnswer } from './file-answer.ts';
import { readJsonBatch } from './json-batch.ts';
import type { Admit } from './limits.ts';
import { queryOf } from './query-string.ts';
import type { Route } from './route.ts';
import { statusOf } from './status.ts';
import type { Traffic } from './traffic.ts';
import { Upload, type UploadedFile } from './upload.ts';

/** From a request to its answer: who asks, what with, then the verb. */
export function answerWith(world: World, admit: Admit, route: Route, traffic: Traffic) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    if (!route.batch) traffic.noteOther();
    const header = request.headers['x-account-secret'];
    // A wrong header, or one that came too often, is refused before the body is even looked at.
    let caller = header ? await admit(header, request) : undefined;
    const { given, list, files } = await collectParameters(request, route.batch, traffic);
    caller ??= await admit(given.account_secret, request);
    request.accountId = caller.account.id;
    if (route.access === 'write' && caller.actor.role === 'viewer') {
      throw forbidden('This secret is of an administrator who may only look: ask an owner or editor');
    }

    const params = request.params as Record<string, string>;
    for (const name of route.pathParameters)
      if (name.endsWith('id') && !isId(params[name] ?? '')) throw notFound('resource');
    const reading = route.read(given, world.now());
    if ('problems' in reading) throw invalid(...reading.problems);

    if (route.batch && !list) throw invalid(`\`${route.batch}\` is required: give a list`);

    const ctx = createContext(world, caller);
    const items = list && { ...list, othersWait: () => traffic.othersWait, giveWay: traffic.giveWay };
    const run = () => route.run(ctx, withPath(route, reading.value, params), items, files);
    const answer = await traffic.heavyReads.inTurn(route.path, ctx.account.id, reply.raw, run);
    reply.code(statusOf(answer) ?? route.status);
    return answer instanceof FileAnswer ? sendFile(reply, answer) : answer;
  };
}

function withPath(
  { pathParameters }: Route,
  value: Record<string, unknown>,
  { account_secret: _, ...path }: Record<string, string>,
): Record<string, unknown> {
  return pathParameters.length === 0 ? value : { ...value, ...path };
}

function sendFile(reply: FastifyReply, { mediaType, body, name, headers }: FileAnswer): string | Readable {
  reply.type(mediaType).headers(headers);
  if (name !== undefined) reply.header('content-disposition', `attachment; filename="${name}"`);
  return body;
}

interface Collected {
  given: Record<string, unknown>;
  /** Of a batch. */
  list?: Pick<BatchItems, 'count' | 'slice'> | undefined;
  /** Of a form with files. */
  files?: readonly UploadedFile[];
}

/** Path, query and body are one set: the path wins over the body, the body over the query. */
async function collectParameters(
  request: FastifyRequest,
  batch: string | undefined,
  traffic: Traffic,
): Promise<Collected> {
  const query = queryOf(request.raw.url);
  // Without a prototype, `__proto__` is a key like any other.
  const collect = (fields: object) => Object.assign(Object.create(null), query, fields, request.params);
  if (request.body instanceof Upload) return { given: collect(request.body.fields), files: request.body.files };
  const body = request.body as Buffer | undefined;
  if (!batch) return { given: collect(await readBody(body, request.givenMediaType)) };
  const { fields, count, slice } = looksLikeJson(body)
    ? await readJsonBatch(body, batch, traffic.giveWay)
    : { fields: await readBody(body, request.givenMediaType), count: undefined, slice: undefined };
  const given = collect(fields);
  if (count !== undefined) return { given, list: { count, slice } };
  const list = toList(given[batch], false);
  return { given, list: list && { count: list.length, slice: (start, end) => list.slice(start, end) } };
}

function looksLikeJson(body: Buffer | undefined): body is Buffer {
  return body !== undefined && /^\ufeff?\s*[{[]/.test(body.toString('utf8', 0, 100));
}
