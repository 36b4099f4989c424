import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Storage } from '../db/storage.ts';
import { forbidden, noEndpoint, Refusal } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Settings } from '../settings.ts';
import { Arrivals } from './arrivals.ts';
import { Asked } from './asked.ts';
import { readClientWith } from './client.ts';
import type { Metrics } from './metrics.ts';
import { refusalBody, refusalHeaders, toRefusal } from './refuse.ts';
import { flat, jsonReply, Reply } from './reply.ts';
import { Router } from './router.ts';

/** Longer than most proxies keep a connection that is not used, so that it is they who close it. */
const KEEP_ALIVE_MS = 72_000;
const REQUEST_MS = 120_000;

/** From a request to what is sent back. What it throws is sent back as a refusal. */
export type Handler = (asked: Asked) => Promise<Reply>;

interface Endpoint {
  path: string;
  /** Pages of every origin may read the answers. */
  anyOrigin: boolean;
  answer: Handler;
}

interface Ground {
  settings: Pick<Settings, 'tls' | 'trustProxy' | 'requireHttps'>;
  storage: Storage;
  log: Log;
  metrics: Metrics;
  arrivals?: Arrivals;
}

const nosniff = ['x-content-type-options', 'nosniff'];
const toAnyOrigin = [...nosniff, 'access-control-allow-origin', '*'];
const limitsToAnyOrigin = ['access-control-expose-headers', 'X-Ratelimit-Limit, X-Ratelimit-Wait, Retry-After'];

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
  readonly #server: Server;
  #closing = false;

  constructor(ground: Ground) {
    this.#ground = { arrivals: new Arrivals(), ...ground };
    const { tls, trustProxy } = ground.settings;
    this.#readClient = readClientWith(trustProxy);
    this.#server = tls ? createSecureServer(tls, this.#take) : createServer(this.#take);
    this.#server.keepAliveTimeout = KEEP_ALIVE_MS;
    this.#server.requestTimeout = REQUEST_MS;
    this.#server.on('clientError', answerBrokenHttp);
  }

  /** The address tells what a request is, as the router reads it; HEAD tells of what GET would send. */
  add(methods: readonly string[], path: string, answer: Handler, anyOrigin = false): void {
    const all = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
    for (const method of all) this.#router.add(method, path, { path, anyOrigin, answer });
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
    this.#ground.arrivals.begin();
    const { method = '', url = '' } = incoming;
    const found = this.#router.find(method, url);
    const endpoint = found?.target ?? unknown;
    const asked = new Asked(incoming, response, found?.params ?? {}, this.#readClient(incoming));
    const status = await this.#answer(asked, endpoint);
    if (status === undefined) return;
    const ms = performance.now() - began;
    // The pattern, never the address: addresses can hold secrets.
    const { path: route } = endpoint;
    this.#ground.metrics.observe(method, route, status, ms / 1000);
    this.#ground.log.noteRequest({ method, route, status, ms, account: asked.accountId });
  };

  /** The status that was sent; none where the client did not stay for it. */
  async #answer(asked: Asked, endpoint: Endpoint): Promise<number | undefined> {
    const { incoming, response, client } = asked;
    try {
      if (this.#ground.settings.requireHttps && !client.isSafe)
        throw forbidden('Use https:// here: this server refuses plain HTTP');
      const reply = await endpoint.answer(asked);
      if (reply.body instanceof Readable) await this.#sendStream(asked, endpoint, reply, reply.body);
      else this.#sendWhole(response, endpoint, reply);
    } catch (error) {
      if (hasLeft(incoming, error)) return undefined;
      const refusal = toRefusal(error, this.#ground.storage);
      const { method } = incoming;
      if (refusal.code >= 500) this.#ground.log.error({ err: error, method, route: endpoint.path }, 'request failed');
      // Read what the client is still sending, so that it gets to read the answer.
      incoming.resume();
      if (!response.headersSent) this.#sendWhole(response, endpoint, replyOf(refusal, endpoint));
    }
    return response.statusCode;
  }

  #sendWhole(response: ServerResponse, endpoint: Endpoint, { status, headers, body }: Reply): void {
    const whole = body as string | Buffer;
    const all = this.#headers(endpoint, headers);
    if (status !== 204 && status !== 304) all.push('content-length', String(Buffer.byteLength(whole)));
    response.writeHead(status, all).end(whole);
  }

  /** What fails before the first byte can still be refused. */
  async #sendStream(asked: Asked, endpoint: Endpoint, { status, headers }: Reply, body: Readable): Promise<void> {
    const { incoming, response } = asked;
    await once(body, 'readable');
    response.writeHead(status, this.#headers(endpoint, headers));
    if (incoming.method === 'HEAD') {
      body.destroy();
      response.end();
    } else await pipeline(body, response);
    if (this.#closing) this.#server.closeIdleConnections();
  }

  #headers({ anyOrigin }: Endpoint, own: readonly string[]): string[] {
    const all = [...(anyOrigin ? toAnyOrigin : nosniff), ...own];
    // A connection that is kept open after its last answer would keep the process waiting for it.
    if (this.#closing) all.push('connection', 'close');
    return all;
  }
}

/** In the midst of what it sent, or of what it was sent. */
function hasLeft({ socket, complete }: IncomingMessage, error: unknown): boolean {
  return (socket.destroyed && !complete) || (error as { code?: string }).code === 'ERR_STREAM_PREMATURE_CLOSE';
}

function replyOf(refusal: Refusal, { anyOrigin }: Endpoint): Reply {
  const { status, body, headers } = jsonReply(refusal.code, refusalBody(refusal));
  const limits = anyOrigin && refusal.code === 429 ? limitsToAnyOrigin : [];
  return new Reply(status, body, [...headers, ...flat(refusalHeaders(refusal)), ...limits]);
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
