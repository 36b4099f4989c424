import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Storage } from '../db/storage.ts';
import { codeOf } from '../error-code.ts';
import { ApiError, forbidden, NotStored, noEndpoint } from '../errors.ts';
import type { SharedOpen } from '../group.ts';
import type { Log } from '../log/log.ts';
import { gauge, type Metric } from '../metrics/metric.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Settings } from '../settings/settings.ts';
import { respondToBrokenHttp } from './broken-http.ts';
import { readClientWith } from './client.ts';
import { Connections } from './connections.ts';
import type { Endpoint, Handler } from './endpoint.ts';
import { errorResponse, methodNotAllowed, toApiError } from './error-response.ts';
import { HttpRequest } from './http-request.ts';
import type { PerTickDedup } from './per-tick-dedup.ts';
import { PlainEndpoints } from './plain-endpoints.ts';
import { requestIdOf } from './request-id.ts';
import { Router } from './router.ts';
import { type ResponseOptions, sendResponse, sendWhole } from './send-response.ts';
import type { UntrustedProxies } from './untrusted-proxies.ts';

const TIMEOUT_CHECK_INTERVAL_MS = 1000;

interface EndpointOptions {
  /** Whether pages of every origin may read the responses. */
  anyOrigin?: boolean;
  /** Whether a page load waits for this: its responses have no `X-Request-Id`, which nobody would look for. */
  isPageLoad?: boolean;
  /** Whether pages load or call it: it is below the base path, too. */
  isForPages?: boolean;
  /** Whether responses are compressed if the client accepts it. Never set this for a response that shows a secret. */
  compress?: boolean;
  /** The allowed values of parameters in the path. */
  pathValues?: Record<string, readonly string[]>;
}

export type HttpSettings = Pick<
  Settings,
  | 'tls'
  | 'certificates'
  | 'trustProxy'
  | 'requireHttps'
  | 'publicUrl'
  | 'basePath'
  | 'connections'
  | 'connectionsPerAddress'
  | 'requestsPerConnection'
  | 'requestTimeout'
  | 'headersTimeout'
  | 'keepAliveTimeout'
  | 'sendTimeout'
>;

interface HttpDependencies {
  settings: HttpSettings;
  storage: Storage;
  log: Log;
  metrics: Metrics;
  untrustedProxies?: UntrustedProxies;
  /** Is called with each error, and returns whether the error means that nothing can be stored at the moment. */
  noteFailure?: (error: unknown) => boolean;
  /** Is called when a request arrives, for authentication. */
  perTickDedup?: PerTickDedup;
  /** The connections of the other workers. */
  sharedConnections?: SharedOpen | undefined;
  /** What proves to an ACME directory that a domain leads here; undefined for an unknown token. */
  findChallenge?: (token: string) => Promise<string | undefined>;
}

const anyOriginHeader = ['access-control-allow-origin', '*'];
const commonHeaders = ['x-content-type-options', 'nosniff', 'referrer-policy', 'no-referrer'];
/** Below the base path, a response belongs to the domain of a product, which decides itself about HTTPS. Over plain HTTP, browsers ignore it. */
const headersWithoutHttps = { own: commonHeaders, forAnyOrigin: [...commonHeaders, ...anyOriginHeader] };
/** These headers are sent if the operator has set up HTTPS. Browsers require a year at least. */
const httpsHeaders = ['strict-transport-security', 'max-age=31536000'];

const unknownEndpoint: Endpoint = {
  path: 'unknown',
  anyOrigin: false,
  compress: false,
  isPageLoad: false,
  handle: async () => {
    throw noEndpoint();
  },
};

/** Does what all requests have in common: errors, HTTPS, the log, the metrics. */
export class HttpServer {
  readonly #deps: HttpDependencies;
  readonly #readClient: ReturnType<typeof readClientWith>;
  readonly #router = new Router<Endpoint>();
  readonly #connections: Connections;
  readonly #headers: { own: readonly string[]; forAnyOrigin: readonly string[] };
  /** Requests with an `Expect` header that cannot be met. */
  readonly #withUnmetExpectation = new WeakSet<IncomingMessage>();
  readonly #server: Server;
  /** Beside a server that gets its certificate itself: answers challenges, and redirects everything else. */
  readonly #plainServer: Server | undefined;
  readonly #plain: PlainEndpoints | undefined;
  readonly #sockets = new Set<Socket>();
  #isStopping = false;

  constructor(deps: HttpDependencies) {
    this.#deps = deps;
    const { settings } = deps;
    this.#readClient = readClientWith(settings.trustProxy, deps.untrustedProxies);
    const isHttps =
      settings.tls !== undefined || settings.certificates !== undefined || settings.publicUrl.startsWith('https:');
    const own = isHttps ? [...commonHeaders, ...httpsHeaders] : commonHeaders;
    this.#headers = { own, forAnyOrigin: [...own, ...anyOriginHeader] };
    this.#connections = new Connections(settings, this.#handle, deps.sharedConnections);
    this.#server = this.#createListener(settings.tls ?? (settings.certificates && {}));
    if (settings.certificates) {
      this.#plainServer = this.#createListener(undefined);
      this.#plain = new PlainEndpoints(settings.certificates, settings.publicUrl, deps.findChallenge);
    }
  }

  /** @param tls undefined for plain HTTP; without a certificate until there is one */
  #createListener(tls: HttpSettings['tls'] | object): Server {
    const { settings, perTickDedup } = this.#deps;
    const server = createListener(settings, tls, (incoming, response) => {
      perTickDedup?.begin();
      this.#connections.handle(incoming, response);
    });
    this.#connections.limit(server);
    server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.setTimeout(settings.sendTimeout, this.#closeIdle);
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
      respondToBrokenHttp(error, socket, this.#connections.pendingOn(socket)),
    );
    // Without this, Node would respond itself, past the limits of the connection.
    server.on('checkExpectation', (incoming: IncomingMessage, response: ServerResponse) => {
      this.#withUnmetExpectation.add(incoming);
      response.shouldKeepAlive = false;
      this.#connections.handle(incoming, response);
    });
    return server;
  }

  get #servers(): Server[] {
    return this.#plainServer ? [this.#server, this.#plainServer] : [this.#server];
  }

  /** Uses a certificate for new connections. Open connections go on. */
  useCertificate(certificate: { cert: string; key: string }): void {
    (this.#server as SecureServer).setSecureContext(certificate);
  }

  /** Adds an endpoint. An endpoint for GET also serves HEAD. */
  add(methods: readonly string[], path: string, handle: Handler, options: EndpointOptions = {}): void {
    const { anyOrigin = false, compress = false, isPageLoad = false, isForPages = false, pathValues } = options;
    const { basePath } = this.#deps.settings;
    const all = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
    const endpoint = { path, anyOrigin, compress, isPageLoad, handle };
    for (const method of all) {
      this.#router.add(method, path, endpoint, pathValues);
      if (isForPages && basePath)
        this.#router.add(method, basePath + path, { ...endpoint, isBelowBasePath: true }, pathValues);
    }
  }

  /** Returns the URL that the server listens at. */
  async listen({ host, port }: { host: string; port: number }): Promise<string> {
    const { tls, certificates } = this.#deps.settings;
    if (this.#plainServer && certificates) await listenAt(this.#plainServer, { host, port: certificates.httpPort });
    const { port: actualPort } = await listenAt(this.#server, { host, port });
    return `http${tls || certificates ? 's' : ''}://${host.includes(':') ? `[${host}]` : host}:${actualPort}`;
  }

  /** From now on each response is the last one on its connection, and `/readyz` says that the server stops. */
  announceStop(): void {
    this.#isStopping = true;
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /**
   * Finishes the requests in progress and closes their connections. A client may send a request at the very moment at
   * which its idle connection is closed, so idle connections stay open for `graceMs`, and a request in that time gets a
   * response.
   */
  async close(graceMs = 0): Promise<void> {
    if (graceMs > 0) await acceptWaiting();
    this.#isStopping = true;
    // Unlike `close` of an HTTP server, `close` of a net server closes no connections.
    const closed = Promise.all(
      this.#servers.map((server) => new Promise((resolve) => NetServer.prototype.close.call(server, resolve))),
    );
    // The event loop runs timers before it reads what has arrived, and immediates after that, so no request that has
    // arrived by now is lost.
    const closeIdle = setTimeout(() => setImmediate().then(() => this.#closeIdleConnections()), graceMs);
    await closed;
    clearTimeout(closeIdle);
  }

  #closeIdleConnections(): void {
    for (const server of this.#servers) server.closeIdleConnections();
    // Node does not count a connection as idle that a browser has opened in advance and that has sent no request yet.
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy();
  }

  async readMetrics(): Promise<Metric[]> {
    const counts = await Promise.all(this.#servers.map((server) => promisify(server.getConnections.bind(server))()));
    const open = counts.reduce((sum, count) => sum + count, 0);
    return [
      gauge('usher_connections_open', 'Open connections of clients and proxies.', open),
      this.#connections.rejected.read(),
    ];
  }

  /** The error boundary: whatever a request does, nothing is thrown past this. */
  readonly #handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      await this.#handleRequest(incoming, response);
    } catch (error) {
      if (!response.writableEnded) response.destroy();
      this.#logError(error, { method: incoming.method });
    }
  };

  async #handleRequest(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAt = performance.now();
    const { method = '', url = '' } = incoming;
    let endpoint = unknownEndpoint;
    let request: HttpRequest | undefined;
    let requestId: string | undefined;
    try {
      const match = this.#router.find(method, url);
      endpoint = match?.target ?? this.#endpointForOtherMethods(url);
      const client = this.#readClient(incoming);
      if (this.#plain && !client.isHttps) endpoint = this.#plain.find(incoming, endpoint);
      requestId = endpoint.isPageLoad ? undefined : requestIdOf(incoming);
      request = new HttpRequest(incoming, response, match?.params ?? {}, client, requestId);
      request.isBelowBasePath = endpoint.isBelowBasePath ?? false;
      if (!endpoint.isPlain) this.#checkProtocol(request);
      const content = await endpoint.handle(request);
      await sendResponse(request, response, content, this.#responseOptions(incoming, endpoint, request));
      if (this.#isStopping && content.body instanceof Readable)
        for (const server of this.#servers) server.closeIdleConnections();
    } catch (error) {
      if (isDisconnect(incoming, error)) return;
      this.#sendError(error, incoming, response, endpoint, request);
    }
    const ms = performance.now() - startedAt;
    const { statusCode: status } = response;
    // The log and the metrics name the pattern of the path, never the URL: URLs can hold secrets.
    const { path: route } = endpoint;
    this.#deps.metrics.observe(method, route, status, ms / 1000);
    this.#deps.log.recordRequest({ method, route, status, ms, account: request?.accountId, request: requestId });
  }

  #checkProtocol({ incoming, client }: HttpRequest): void {
    if (this.#withUnmetExpectation.has(incoming))
      throw new ApiError(417, ['The header `Expect` may only be `100-continue`']);
    if (this.#deps.settings.requireHttps && !client.isSafe)
      throw forbidden('Use https:// here: this server refuses plain HTTP');
  }

  /** Responds with 405 if the path exists with other methods, else with 404. */
  #endpointForOtherMethods(url: string): Endpoint {
    const { basePath } = this.#deps.settings;
    const allowed = this.#router.methodsAt(url);
    return {
      ...unknownEndpoint,
      isBelowBasePath: basePath !== '' && url.startsWith(`${basePath}/`),
      ...(allowed.length > 0 && { handle: async () => methodNotAllowed(allowed) }),
    };
  }

  #sendError(
    error: unknown,
    incoming: IncomingMessage,
    response: ServerResponse,
    endpoint: Endpoint,
    request: HttpRequest | undefined,
  ): void {
    const apiError = toApiError(error, this.#deps.storage);
    // The error names the limit that was exceeded, which may be another one.
    if (request && apiError.code === 429) request.rateLimit = undefined;
    this.#deps.metrics.countError(apiError);
    // While nothing can be stored, every write fails for the same reason. One line says when that begins, not one for
    // each request.
    const isExpected = error instanceof NotStored || this.#deps.noteFailure?.(error);
    if (apiError.code >= 500 && !isExpected)
      this.#logError(error, { method: incoming.method, route: endpoint.path, request: request?.requestId });
    if (response.headersSent) response.destroy();
    else
      sendWhole(
        incoming,
        response,
        errorResponse(apiError, endpoint.anyOrigin),
        this.#responseOptions(incoming, endpoint, request),
      );
  }

  /** A log that fails must not make the request fail, too. */
  #logError(err: unknown, where: object): void {
    try {
      this.#deps.log.error({ err, ...where }, 'request failed');
    } catch {}
  }

  /**
   * Is called when nothing was sent or received on a socket for a while. The socket stays open only if its client waits
   * for a response.
   */
  readonly #closeIdle = (socket: Socket): void => {
    if (!this.#connections.pendingOn(socket) || socket.writableLength > 0) socket.destroy();
  };

  #responseOptions(
    { socket }: IncomingMessage,
    { anyOrigin, compress, isBelowBasePath, isPlain }: Endpoint,
    request: HttpRequest | undefined,
  ): ResponseOptions {
    const { own, forAnyOrigin } = isBelowBasePath || isPlain ? headersWithoutHttps : this.#headers;
    const headers = anyOrigin ? forAnyOrigin : own;
    return {
      commonHeaders: request?.requestId === undefined ? headers : [...headers, ...headersOf(request)],
      // While the server closes, a connection that stays open would keep the process alive.
      isLast: () => this.#isStopping || this.#connections.isLastOn(socket),
      mayCompress: compress,
    };
  }
}

/** The headers that a response has because of its request. */
function headersOf({ requestId = '', rateLimit }: HttpRequest): string[] {
  const id = ['x-request-id', requestId];
  if (!rateLimit) return id;
  const { limit, remaining } = rateLimit;
  return [...id, 'x-ratelimit-limit', String(limit), 'x-ratelimit-remaining', String(remaining)];
}

/**
 * Closing the listener resets connections that the system has opened and the process has not accepted yet. Two turns of
 * the event loop accept them all.
 */
async function acceptWaiting(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

/** Whether the client left while it sent the request or received the response. */
function isDisconnect({ socket, complete }: IncomingMessage, error: unknown): boolean {
  const code = codeOf(error);
  return (socket.destroyed && (!complete || code === 'ABORT_ERR')) || code === 'ERR_STREAM_PREMATURE_CLOSE';
}

/** Without IPv6, `::` cannot be used, and 0.0.0.0 is every address. */
async function listenAt(server: Server, { host, port }: { host: string; port: number }): Promise<AddressInfo> {
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    if (host !== '::' || codeOf(error) !== 'EAFNOSUPPORT') throw error;
    return listenAt(server, { host: '0.0.0.0', port });
  }
  return server.address() as AddressInfo;
}

function createListener(settings: HttpSettings, tls: HttpSettings['tls'] | object, handle: RequestListener): Server {
  const { requestTimeout, headersTimeout, keepAliveTimeout } = settings;
  const timeouts = { requestTimeout, headersTimeout, keepAliveTimeout };
  const options = { ...timeouts, connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS };
  return tls
    ? createSecureServer({ ...options, ...tls, handshakeTimeout: headersTimeout }, handle)
    : createServer(options, handle);
}
