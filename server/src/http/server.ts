import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Storage } from '../db/storage.ts';
import { ApiError, forbidden, noEndpoint } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Settings } from '../settings.ts';
import { readClientWith } from './client.ts';
import { Connections } from './connections.ts';
import { discardBody, hasLargeRest } from './discard-body.ts';
import { errorBody, errorHeaders, toApiError } from './error-response.ts';
import { HttpRequest } from './http-request.ts';
import { flat, HttpResponse, jsonResponse } from './http-response.ts';
import type { Metrics } from './metrics.ts';
import { PerTickDedup } from './per-tick-dedup.ts';
import { Router } from './router.ts';

const TIMEOUTS_CHECKED_EVERY_MS = 1000;
/** How long a client that did not speak HTTP may take to read the error and close the connection. */
const CLOSES_WITHIN_MS = 5000;

/** From a request to what is sent back. What it throws is sent back as a refusal. */
export type Handler = (request: HttpRequest) => Promise<HttpResponse>;

interface Endpoint {
  path: string;
  /** Pages of every origin may read the answers. */
  anyOrigin: boolean;
  answer: Handler;
}

export type HttpSettings = Pick<
  Settings,
  | 'tls'
  | 'trustProxy'
  | 'requireHttps'
  | 'publicUrl'
  | 'connections'
  | 'connectionsPerAddress'
  | 'requestsPerConnection'
  | 'requestTimeout'
  | 'headersTimeout'
  | 'keepAliveTimeout'
  | 'sendTimeout'
>;

interface Ground {
  settings: HttpSettings;
  storage: Storage;
  log: Log;
  metrics: Metrics;
  perTickDedup?: PerTickDedup;
}

const onEveryResponse = ['x-content-type-options', 'nosniff', 'referrer-policy', 'no-referrer'];
/** A year, as browsers want it: sent where the operator has said that this server is reached by HTTPS. */
const onlyByHttps = ['strict-transport-security', 'max-age=31536000'];
const limitsToAnyOrigin = ['access-control-expose-headers', 'X-Ratelimit-Limit, X-Ratelimit-Wait, Retry-After'];

const brokenHttp = {
  400: 'This is not a valid HTTP request',
  408: 'The request took too long to arrive',
  431: 'The headers, with the address, are larger than 16 KB',
} as const;

const unknown: Endpoint = {
  path: 'unknown',
  anyOrigin: false,
  answer: async () => {
    throw noEndpoint();
  },
};

/** What is the same for every request, whatever it asks: errors, HTTPS, the log, the metrics. */
export class HttpServer {
  readonly #ground: Required<Ground>;
  readonly #readClient: ReturnType<typeof readClientWith>;
  readonly #router = new Router<Endpoint>();
  readonly #connections: Connections;
  readonly #common: readonly string[];
  readonly #commonToAnyOrigin: readonly string[];
  /** Requests that expect something else than to be told to go on. */
  readonly #unmet = new WeakSet<IncomingMessage>();
  readonly #server: Server;
  #closing = false;

  constructor(deps: Ground) {
    this.#ground = { perTickDedup: new PerTickDedup(), ...deps };
    const { settings } = deps;
    this.#readClient = readClientWith(settings.trustProxy);
    const isHttps = settings.tls !== undefined || settings.publicUrl.startsWith('https:');
    this.#common = isHttps ? [...onEveryResponse, ...onlyByHttps] : onEveryResponse;
    this.#commonToAnyOrigin = [...this.#common, 'access-control-allow-origin', '*'];
    this.#connections = new Connections(settings, this.#take);
    this.#server = listenerFor(settings, this.#connections.take);
    this.#connections.limit(this.#server);
    this.#server.setTimeout(settings.sendTimeout, this.#closeIdle);
    this.#server.on('clientError', this.#answerBrokenHttp);
    // Node would answer by itself, past the limits of the connection.
    this.#server.on('checkExpectation', (incoming: IncomingMessage, response: ServerResponse) => {
      this.#unmet.add(incoming);
      response.shouldKeepAlive = false;
      this.#connections.take(incoming, response);
    });
  }

  /** The address tells what a request is, as the router reads it; HEAD tells of what GET would send. */
  add(
    methods: readonly string[],
    path: string,
    answer: Handler,
    { anyOrigin = false, words = {} }: { anyOrigin?: boolean; words?: Record<string, readonly string[]> } = {},
  ): void {
    const all = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
    for (const method of all) this.#router.add(method, path, { path, anyOrigin, answer }, words);
  }

  /** Tells where it listens. */
  async listen({ host, port }: { host: string; port: number }): Promise<string> {
    this.#server.listen({ host, port });
    await once(this.#server, 'listening');
    const { port: taken } = this.#server.address() as AddressInfo;
    return `http${this.#ground.settings.tls ? 's' : ''}://${host.includes(':') ? `[${host}]` : host}:${taken}`;
  }

  /** Answers what has begun; no connection is kept open behind it. */
  async close(): Promise<void> {
    this.#closing = true;
    await new Promise((resolve) => this.#server.close(resolve));
  }

  readonly #take = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const began = performance.now();
    this.#ground.perTickDedup.begin();
    const { method = '', url = '' } = incoming;
    const found = this.#router.find(method, url);
    const endpoint = found?.target ?? this.#without(url);
    const request = new HttpRequest(incoming, response, found?.params ?? {}, this.#readClient(incoming));
    const status = await this.#answer(request, endpoint);
    if (status === undefined) return;
    const ms = performance.now() - began;
    // The pattern, never the address: addresses can hold secrets.
    const { path: route } = endpoint;
    this.#ground.metrics.observe(method, route, status, ms / 1000);
    this.#ground.log.noteRequest({ method, route, status, ms, account: request.accountId });
  };

  /** Whatever the request holds: an address that is not there is the same for everyone. */
  #without(url: string): Endpoint {
    const allowed = this.#router.methodsAt(url);
    return allowed.length === 0 ? unknown : { ...unknown, answer: async () => methodNotAllowed(allowed) };
  }

  /** The status that was sent; none where the client did not stay for it. */
  async #answer(request: HttpRequest, endpoint: Endpoint): Promise<number | undefined> {
    const { incoming, response, client } = request;
    try {
      if (this.#unmet.has(incoming)) throw new ApiError(417, ['The header `Expect` may only be `100-continue`']);
      if (this.#ground.settings.requireHttps && !client.isSafe)
        throw forbidden('Use https:// here: this server refuses plain HTTP');
      const reply = await endpoint.answer(request);
      if (reply.body instanceof Readable) await this.#sendStream(request, endpoint, reply, reply.body);
      else this.#sendWhole(request, endpoint, reply);
    } catch (error) {
      if (hasLeft(incoming, error)) return undefined;
      const apiError = toApiError(error, this.#ground.storage);
      const { method } = incoming;
      if (apiError.code >= 500) this.#ground.log.error({ err: error, method, route: endpoint.path }, 'request failed');
      if (!response.headersSent) this.#sendWhole(request, endpoint, replyOf(apiError, endpoint));
    }
    return response.statusCode;
  }

  #sendWhole(request: HttpRequest, endpoint: Endpoint, { status, headers, body }: HttpResponse): void {
    const { incoming, response } = request;
    const whole = body as string | Buffer;
    const isUnread = request.hasBody && !incoming.complete;
    const closes = isUnread && hasLargeRest(incoming);
    const all = this.#headers(request, endpoint, headers, closes);
    if (status !== 204 && status !== 304) all.push('content-length', String(Buffer.byteLength(whole)));
    response.writeHead(status, all);
    if (isUnread && !closes) incoming.resume();
    // A body that comes too slowly is not worth waiting for.
    if (!closes || status === 408) response.end(whole);
    else {
      // The client can read all of the response now; the connection closes when the response ends.
      response.flushHeaders();
      response.write(whole);
      discardBody(incoming, () => response.end());
    }
  }

  /** What fails before the first byte can still be refused. */
  async #sendStream(
    request: HttpRequest,
    endpoint: Endpoint,
    { status, headers }: HttpResponse,
    body: Readable,
  ): Promise<void> {
    const { incoming, response } = request;
    await once(body, 'readable');
    response.writeHead(status, this.#headers(request, endpoint, headers));
    if (incoming.method === 'HEAD') {
      body.destroy();
      response.end();
    } else await pipeline(body, response);
    if (this.#closing) this.#server.closeIdleConnections();
  }

  /** Called when nothing has moved on a socket for a while: it stays open only while the client waits for the server. */
  readonly #closeIdle = (socket: Socket): void => {
    if (!this.#connections.pendingOn(socket) || socket.writableLength > 0) socket.destroy();
  };

  /** Answers on the bare socket, unless that would write into a response or be taken for the one to another request. */
  readonly #answerBrokenHttp = (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return;
    const pending = this.#connections.pendingOn(socket);
    if (pending && (pending.headersSent || pending.req.complete)) {
      socket.destroy();
      return;
    }
    const code = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
    const body = JSON.stringify(errorBody(new ApiError(code, [brokenHttp[code]])));
    socket.end(
      `HTTP/1.1 ${code} ${STATUS_CODES[code]}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
    setTimeout(() => socket.destroy(), CLOSES_WITHIN_MS).unref();
  };

  #headers({ incoming }: HttpRequest, { anyOrigin }: Endpoint, own: readonly string[], closes = false): string[] {
    const all = [...(anyOrigin ? this.#commonToAnyOrigin : this.#common), ...own];
    // A connection that is kept open after its last answer would keep the process waiting for it.
    if (closes || this.#closing || this.#connections.isLastOn(incoming.socket)) all.push('connection', 'close');
    return all;
  }
}

/** In the midst of what it sent, or of what it was sent. */
function hasLeft({ socket, complete }: IncomingMessage, error: unknown): boolean {
  return (socket.destroyed && !complete) || (error as { code?: string }).code === 'ERR_STREAM_PREMATURE_CLOSE';
}

function methodNotAllowed(allowed: readonly string[]): HttpResponse {
  const allow = allowed.join(', ');
  const { status, body, headers } = jsonResponse(405, errorBody(new ApiError(405, [`Use ${allow} here`])));
  return new HttpResponse(status, body, [...headers, 'allow', allow]);
}

function replyOf(apiError: ApiError, { anyOrigin }: Endpoint): HttpResponse {
  const { status, body, headers } = jsonResponse(apiError.code, errorBody(apiError));
  const limits = anyOrigin && apiError.code === 429 ? limitsToAnyOrigin : [];
  return new HttpResponse(status, body, [...headers, ...flat(errorHeaders(apiError)), ...limits]);
}

function listenerFor(settings: HttpSettings, take: RequestListener): Server {
  const { tls, requestTimeout, headersTimeout, keepAliveTimeout } = settings;
  const timeouts = { requestTimeout, headersTimeout, keepAliveTimeout };
  const options = { ...timeouts, connectionsCheckingInterval: TIMEOUTS_CHECKED_EVERY_MS };
  return tls
    ? createSecureServer({ ...options, ...tls, handshakeTimeout: headersTimeout }, take)
    : createServer(options, take);
}
