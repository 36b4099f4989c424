import type { IncomingMessage, ServerResponse } from 'node:http';
import type { World } from '../context.ts';
import { forbidden, type Refusal, tooLarge } from '../errors.ts';
import type { Log } from '../log.ts';
import { type AnswerPage, PageAsked } from './answer-page.ts';
import type { Client } from './client.ts';
import type { Metrics } from './metrics.ts';
import { refusalBody, refusalHeaders, toRefusal } from './refuse.ts';
import type { PageRoute } from './route.ts';

const LARGEST_BODY = 1024 * 1024;
const LIMIT_HEADERS = 'X-Ratelimit-Limit, X-Ratelimit-Wait, Retry-After';

interface Ground {
  world: World;
  log: Log;
  metrics: Metrics;
  requireHttps: boolean;
  readClient: (request: IncomingMessage) => Client;
  answerOf: (route: PageRoute) => AnswerPage;
}

/**
 * Answers what pages call, from every origin, without cookies, so that any origin may read the answers. It does so on
 * bare node:http: the framework that the other endpoints have would cost a page load a tenth of its time.
 */
export class PageServer {
  readonly #ground: Ground;
  readonly #routes: ReadonlyMap<string, Served>;
  /** No connection is kept open from now on: it would keep the process waiting for it. */
  closing = false;

  constructor(routes: readonly PageRoute[], ground: Ground) {
    this.#ground = ground;
    this.#routes = new Map(
      routes.map((route) => [route.path, { path: route.path, answer: ground.answerOf(route), status: route.status }]),
    );
  }

  /** Whether the request was for a page; all others are somebody else's. */
  take(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url = '' } = request;
    if (method !== 'POST' && method !== 'OPTIONS') return false;
    const end = url.indexOf('?');
    const route = this.#routes.get(end < 0 ? url : url.slice(0, end));
    if (!route) return false;
    const began = performance.now();
    const send: Send = (status, headers, body, accountId) => {
      if (this.closing) headers.push('connection', 'close');
      response.writeHead(status, headers).end(body);
      this.#note(method, route.path, status, performance.now() - began, accountId);
    };
    if (method === 'OPTIONS') {
      // What it may send along is not read.
      request.resume();
      send(204, [...answerHeaders, ...preflightHeaders], nothing);
    } else this.#answer(request, route, send);
    return true;
  }

  async #answer(request: IncomingMessage, { path, answer, status }: Served, send: Send): Promise<void> {
    const { world, log, requireHttps, readClient } = this.#ground;
    let asked: PageAsked | undefined;
    try {
      const { ip, isSafe } = readClient(request);
      if (requireHttps && !isSafe) throw forbidden('Use https:// here: this server refuses plain HTTP');
      asked = new PageAsked(request, ip, await bodyOf(request));
      const body = await answer(asked);
      send(status, headersFor(body), body, asked.accountId);
    } catch (error) {
      if (request.socket.destroyed) return;
      const refusal = toRefusal(error, world.storage);
      if (refusal.code >= 500) log.error({ err: error, method: 'POST', route: path }, 'request failed');
      // Read what the client is still sending, so that it gets to read the answer.
      request.resume();
      const body = Buffer.from(JSON.stringify(refusalBody(refusal)));
      send(refusal.code, [...headersFor(body), ...headersOf(refusal)], body, asked?.accountId);
    }
  }

  #note(method: string, route: string, status: number, ms: number, account: string | undefined): void {
    this.#ground.metrics.observe(method, route, status, ms / 1000);
    this.#ground.log.noteRequest({ method, route, status, ms, account });
  }
}

interface Served {
  path: string;
  answer: AnswerPage;
  status: number;
}

/** Names and values in turns: that is written fastest. */
type Headers = string[];
type Send = (status: number, headers: Headers, body: Buffer, accountId?: string) => void;

const nothing = Buffer.alloc(0);
const answerHeaders: Headers = [
  ...['cache-control', 'no-store'],
  ...['x-content-type-options', 'nosniff'],
  ...['access-control-allow-origin', '*'],
];
const jsonHeaders: Headers = [...answerHeaders, 'content-type', 'application/json; charset=utf-8', 'content-length'];
const preflightHeaders: Headers = [
  ...['access-control-allow-methods', 'POST'],
  ...['access-control-allow-headers', 'content-type'],
  ...['access-control-max-age', '86400'],
];

function headersFor(body: Buffer): Headers {
  return [...jsonHeaders, String(body.length)];
}

function headersOf(refusal: Refusal): Headers {
  const headers = Object.entries(refusalHeaders(refusal)).flat().map(String);
  return refusal.code === 429 ? [...headers, 'access-control-expose-headers', LIMIT_HEADERS] : headers;
}

function bodyOf(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    if (Number(request.headers['content-length'] ?? 0) > LARGEST_BODY) return reject(bodyTooLarge());
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= LARGEST_BODY) chunks.push(chunk);
      else reject(bodyTooLarge());
    });
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    request.on('error', reject);
  });
}

function bodyTooLarge(): Refusal {
  return tooLarge(`The body is larger than ${LARGEST_BODY / 1024 / 1024} MB`);
}
