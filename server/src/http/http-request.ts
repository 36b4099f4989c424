import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Client } from './client.ts';
import type { Counted } from './limits.ts';
import { type BodyLimits, bodyTooLarge, encodingOf, receiveBody } from './receive.ts';

export const MAX_BODY = 1024 * 1024;

/** A request, as those see it who answer it. */
export class HttpRequest implements Counted {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  /** Of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly client: Client;
  countedSecret: string | undefined = undefined;
  /** The whole of it, where it had to be read to find the secret in it. */
  receivedBody: Buffer | undefined = undefined;
  /** Once it is known. */
  accountId: string | undefined = undefined;

  constructor(incoming: IncomingMessage, response: ServerResponse, params: HttpRequest['params'], client: Client) {
    this.incoming = incoming;
    this.response = response;
    this.params = params;
    this.client = client;
  }

  get headers(): IncomingHttpHeaders {
    return this.incoming.headers;
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

  /** Whatever its method and media type say. */
  get hasBody(): boolean {
    return this.headers['content-length'] !== undefined || this.headers['transfer-encoding'] !== undefined;
  }
}

/** The whole body, of a request that has one. */
export async function takeInBody(request: HttpRequest, limits: BodyLimits): Promise<Buffer | undefined> {
  const { incoming, headers, hasBody } = request;
  if (!hasBody) return undefined;
  const length = Number(headers['content-length']);
  if (length > limits.size) throw bodyTooLarge(limits.size);
  const isEncoded = encodingOf(request) !== undefined;
  // Most bodies come along with their headers, and are there once those have been dealt with: waiting for them takes longer.
  await undefined;
  if (incoming.readableLength === length && !isEncoded) return incoming.read() ?? undefined;
  const pieces: Buffer[] = [];
  for await (const piece of receiveBody(request, limits)) pieces.push(piece);
  return Buffer.concat(pieces);
}
