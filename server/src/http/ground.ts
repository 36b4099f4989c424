import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { Storage } from '../db/storage.ts';
import { forbidden, noEndpoint, Refusal, tooLarge } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Settings } from '../settings.ts';
import { Arrivals } from './arrivals.ts';
import { readClientWith } from './client.ts';
import type { Metrics } from './metrics.ts';
import { refusalBody, refusalHeaders, toRefusal } from './refuse.ts';
import type { PageServer } from './serve-pages.ts';

const LARGEST_BODY = 1024 * 1024;
const ANY_BODY = 'application/octet-stream';
export const LARGEST_BATCH = 16 * 1024 * 1024;

declare module 'fastify' {
  interface FastifyRequest {
    /** The Content-Type as the client sent it. */
    givenMediaType: string;
    accountId: string | undefined;
    /** The secret that the request was counted for. */
    countedSecret: string | undefined;
  }
}

/** What is answered without the framework. */
type Pages = Pick<PageServer, 'take' | 'closing'>;

type GroundSettings = Pick<Settings, 'tls' | 'trustProxy' | 'requireHttps'>;

/** What is the same for every request, whatever it asks: bodies, errors, HTTPS, the log, the metrics. */
export function createGround(
  settings: GroundSettings,
  storage: Storage,
  log: Log,
  metrics: Metrics,
  pages: Pages = { take: () => false, closing: false },
  arrivals = new Arrivals(),
): FastifyInstance {
  const readClient = readClientWith(settings.trustProxy);
  const app = Fastify({
    ...(settings.tls && { https: settings.tls }),
    serverFactory: (handler, options) =>
      listenWith(settings, options as ServerSettings, (request, response) => {
        if (!pages.take(request, response)) handler(request, response);
      }),
    trustProxy: settings.trustProxy,
    bodyLimit: LARGEST_BODY,
    requestTimeout: 120_000,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 500 },
    clientErrorHandler: answerBrokenHttp,
    frameworkErrors: (_error, _request, reply: FastifyReply) => {
      reply.code(404).send(refusalBody(noEndpoint()));
    },
  }) as FastifyInstance;

  // The address tells what the request is; a body is read whatever its method and media type say.
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  app.removeAllContentTypeParsers();
  // By its name, as Fastify looks for it anew each time otherwise.
  app.addContentTypeParser([ANY_BODY, '*'], { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.decorateRequest('givenMediaType', '');
  app.decorateRequest('accountId', undefined);
  app.decorateRequest('countedSecret', undefined);

  app.addHook('onRequest', (request, reply, done) => {
    arrivals.begin();
    request.givenMediaType = (request.headers['content-type'] ?? '').trim();
    // A malformed media type would be refused before the body is looked at.
    if (request.headers['content-type'] !== undefined) request.raw.headers['content-type'] = ANY_BODY;
    reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff');
    done(
      settings.requireHttps && !readClient(request.raw).isSafe
        ? forbidden('Use https:// here: this server refuses plain HTTP')
        : undefined,
    );
  });

  let closing = false;
  app.addHook('preClose', (done) => {
    closing = true;
    pages.closing = true;
    done();
  });
  // A connection that is kept open after its last answer would keep the process waiting for it.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) reply.header('connection', 'close');
    done();
  });

  app.addHook('onResponse', (request, reply, done) => {
    const ms = reply.elapsedTime;
    // The pattern, never the address: addresses can hold secrets.
    const route = request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown');
    metrics.observe(request.method, route, reply.statusCode, ms / 1000);
    log.noteRequest({ method: request.method, route, status: reply.statusCode, ms, account: request.accountId });
    done();
  });

  app.setErrorHandler((error, request, reply) => {
    const refusal = isTooLarge(error)
      ? tooLarge(`The body is larger than ${(request.routeOptions.bodyLimit ?? LARGEST_BODY) / 1024 / 1024} MB`)
      : toRefusal(error, storage);
    if (refusal.code >= 500)
      log.error({ err: error, method: request.method, route: request.routeOptions.url }, 'request failed');
    // Read what the client is still sending, so that it gets to read the answer.
    if (refusal.code === 413) request.raw.resume();
    reply.code(refusal.code).headers(refusalHeaders(refusal)).send(refusalBody(refusal));
  });
  app.setNotFoundHandler((_request, reply) => {
    reply.code(404).send(refusalBody(noEndpoint()));
  });
  return app;
}

/** As the framework's own server, which it does not set up where it is given one. */
type ServerSettings = { keepAliveTimeout: number; requestTimeout: number; connectionTimeout: number };

function listenWith({ tls }: GroundSettings, settings: ServerSettings, handler: RequestListener): Server {
  const server = tls ? createSecureServer(tls, handler) : createServer(handler);
  server.keepAliveTimeout = settings.keepAliveTimeout;
  server.requestTimeout = settings.requestTimeout;
  server.setTimeout(settings.connectionTimeout);
  return server;
}

function isTooLarge(error: unknown): boolean {
  return (error as { code?: string }).code === 'FST_ERR_CTP_BODY_TOO_LARGE';
}

/** What is not HTTP at all gets its answer here, on the bare socket. */
function answerBrokenHttp(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return;
  const code = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
  const message =
    code === 431 ? 'The headers, with the address, are larger than 16 KB' : 'This is not a valid HTTP request';
  const body = JSON.stringify(refusalBody(new Refusal(code, [message])));
  socket.end(
    `HTTP/1.1 ${code} ${STATUS_CODES[code]}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
