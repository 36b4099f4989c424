import { setMaxListeners } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Client } from './client.ts';
import type { CountedRequest } from './limits.ts';

/** A request, as its handler sees it. */
export class HttpRequest implements CountedRequest {
  readonly incoming: IncomingMessage;
  /** The parameters in the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly client: Client;
  countedSecret: string | undefined = undefined;
  rateLimit: CountedRequest['rateLimit'] = undefined;
  /** Names the request in its response and in the log. Requests of page loads have none. */
  readonly requestId: string | undefined;
  /** The whole body, if it had to be received in order to find the secret in it. */
  receivedBody: Buffer | undefined = undefined;
  /** Set as soon as the account is known; the log names it. */
  accountId: string | undefined = undefined;
  /** Whether the request came by the base path of pages. */
  isBelowBasePath = false;
  readonly #response: ServerResponse;
  #disconnect: AbortController | undefined = undefined;

  constructor(
    incoming: IncomingMessage,
    response: ServerResponse,
    params: HttpRequest['params'],
    client: Client,
    requestId?: string,
  ) {
    this.incoming = incoming;
    this.#response = response;
    this.params = params;
    this.client = client;
    this.requestId = requestId;
  }

  get headers(): IncomingHttpHeaders {
    return this.incoming.headers;
  }

  get method(): string {
    return this.incoming.method ?? '';
  }

  get url(): string | undefined {
    return this.incoming.url;
  }

  get ip(): string {
    return this.client.ip;
  }

  /** The Content-Type as the client sent it. */
  get mediaType(): string {
    return (this.headers['content-type'] ?? '').trim();
  }

  /** Whether the request has a body, whatever its method and media type are. */
  get hasBody(): boolean {
    return hasBody(this.incoming);
  }

  /**
   * The signal is aborted when the client disconnects before it has received the whole response. It is created when it
   * is first used, because most requests never need it.
   */
  get signal(): AbortSignal {
    this.#disconnect ??= abortOnDisconnect(this.#response);
    return this.#disconnect.signal;
  }

  /** A request to an endpoint that is made for this one, as the tool call of an assistant is. Both are counted as one. */
  innerRequest(inner: InnerRequestParams): HttpRequest {
    const request = new InnerRequest(this.incoming, this.#response, inner.params, this.client, this.requestId);
    request.inner = inner;
    request.countedSecret = this.countedSecret;
    request.receivedBody = inner.body;
    return request;
  }

  /** Closes the connection after the response, for a client whose remaining body must not be waited for. */
  closeConnectionAfterResponse(): void {
    this.#response.shouldKeepAlive = false;
  }
}

interface InnerRequestParams {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  params: HttpRequest['params'];
  body: Buffer;
}

class InnerRequest extends HttpRequest {
  inner: InnerRequestParams | undefined = undefined;

  override get headers(): IncomingHttpHeaders {
    return this.inner?.headers ?? {};
  }

  override get method(): string {
    return this.inner?.method ?? '';
  }

  override get url(): string | undefined {
    return this.inner?.url;
  }

  override get hasBody(): boolean {
    return true;
  }
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

function abortOnDisconnect(response: ServerResponse): AbortController {
  const controller = new AbortController();
  // Each of many queries may wait for it.
  setMaxListeners(0, controller.signal);
  const abort = () => {
    if (!response.writableFinished) controller.abort(new Disconnected());
  };
  if (response.closed || response.destroyed) abort();
  else response.once('close', abort);
  return controller;
}

/** Has the code by which Node says that something was aborted. */
class Disconnected extends Error {
  readonly code = 'ABORT_ERR';

  constructor() {
    super('The client has disconnected');
  }
}
