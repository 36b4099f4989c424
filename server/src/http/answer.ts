import type { Readable } from 'node:stream';
import { isId } from '@usher/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createContext, type World } from '../context.ts';
import { forbidden, invalid, notFound } from '../errors.ts';
import { collect, unite } from './collect.ts';
import { FileAnswer } from './file-answer.ts';
import type { Admit } from './limits.ts';
import type { Route } from './route.ts';
import { statusOf } from './status.ts';
import type { Traffic } from './traffic.ts';
import { Upload, type UploadedFile } from './upload.ts';

/** From a request to its answer: who asks, what with, then the verb. */
export function answerWith(
  world: World,
  admit: Admit,
  route: Route,
  traffic: Traffic,
  collectParameters: (request: FastifyRequest) => Promise<Collected> = collectHere,
) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    if (!route.batch) traffic.others.note();
    const header = request.headers['x-account-secret'];
    // A wrong header, or one that came too often, is refused before the body is even looked at.
    let caller = header ? await admit(header, request) : undefined;
    const { given, hasList, files } = await collectParameters(request);
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

    if (route.batch && !hasList) throw invalid(`\`${route.batch}\` is required: give a list`);

    const ctx = createContext(world, caller);
    const run = () => route.run(ctx, withPath(route, reading.value, params), undefined, files);
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

export interface Collected {
  given: Record<string, unknown>;
  /** Of a batch. */
  hasList?: boolean;
  /** Of a form with files. */
  files?: readonly UploadedFile[];
}

async function collectHere({ raw: { url }, params, body, givenMediaType }: FastifyRequest): Promise<Collected> {
  if (body instanceof Upload) return { given: unite(url, body.fields, params), files: body.files };
  return { given: await collect({ url, params, body: body as Buffer | undefined, mediaType: givenMediaType }) };
}
