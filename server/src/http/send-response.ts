import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { acceptedEncoding, type ContentEncoding, compress, createCompressor, isCompressible } from './compression.ts';
import { discardBody, hasLargeRest } from './discard-body.ts';
import { EventStream } from './event-stream.ts';
import { type HttpRequest, hasBody } from './http-request.ts';
import { findHeader, HttpResponse } from './http-response.ts';

export interface ResponseOptions {
  /** The headers of every response. */
  commonHeaders: readonly string[];
  /** Whether the connection is closed after this response. This is decided when the headers are written. */
  isLast(): boolean;
  /** Whether the response may be compressed. */
  mayCompress: boolean;
}

const closing = ['connection', 'close'];

/**
 * Sends a response of a handler. The promise rejects if the response is streamed and the client leaves, or the stream
 * fails.
 */
export async function sendResponse(
  request: HttpRequest,
  response: ServerResponse,
  content: HttpResponse,
  options: ResponseOptions,
): Promise<void> {
  if (content instanceof EventStream) {
    const { commonHeaders, isLast } = options;
    response.writeHead(content.status, [...commonHeaders, ...content.headers, ...(isLast() ? closing : [])]);
    response.flushHeaders();
    const isHead = request.method === 'HEAD';
    content.begin(isHead ? undefined : response);
    if (isHead) response.end();
    return;
  }
  const isEncodable = options.mayCompress && isCompressible(content);
  const encoding = isEncodable ? acceptedEncoding(request.headers) : undefined;
  const negotiated = isEncodable ? withEncodingHeaders(content, encoding) : content;
  const { body } = negotiated;
  if (body instanceof Readable) {
    await sendStream(request, response, negotiated, body, encoding, options);
    return;
  }
  const compressed = encoding ? await compress(body, encoding) : body;
  sendWhole(request.incoming, response, new HttpResponse(negotiated.status, compressed, negotiated.headers), options);
}

function withEncodingHeaders(
  { status, body, headers }: HttpResponse,
  encoding: ContentEncoding | undefined,
): HttpResponse {
  const added = findHeader(headers, 'vary') === undefined ? ['vary', 'accept-encoding'] : [];
  if (encoding) added.push('content-encoding', encoding);
  return new HttpResponse(status, body, [...headers, ...added]);
}

/** Sends a response whose body is in memory. If the request has an unread body, the rest of it is discarded. */
export function sendWhole(
  incoming: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: HttpResponse,
  { commonHeaders, isLast }: Pick<ResponseOptions, 'commonHeaders' | 'isLast'>,
): void {
  const content = body as string | Buffer;
  const isUnread = hasBody(incoming) && !incoming.complete;
  const closes = isUnread && hasLargeRest(incoming);
  const all = [...commonHeaders, ...headers];
  if (closes || isLast()) all.push(...closing);
  if (status !== 204 && status !== 304) all.push('content-length', String(Buffer.byteLength(content)));
  response.writeHead(status, all);
  // The rest of a body that arrives too slowly (408) is not worth waiting for.
  if (!closes || status === 408) response.end(content);
  else closeAfterBody(incoming, response, content);
  if (isUnread && !closes)
    discardBody(incoming, (isComplete) => {
      if (!isComplete) incoming.socket.destroy();
    });
}

/** Sends the response and the end of the connection together, and continues to read until the client has received them. */
function closeAfterBody(incoming: IncomingMessage, response: ServerResponse, content: string | Buffer): void {
  const { socket } = incoming;
  response.flushHeaders();
  response.write(content);
  socket.end();
  discardBody(incoming, () => socket.destroySoon());
}

/** Sends a response while it is produced. An error before its first chunk can still become an error response. */
async function sendStream(
  request: HttpRequest,
  response: ServerResponse,
  { status, headers }: HttpResponse,
  body: Readable,
  encoding: ContentEncoding | undefined,
  { commonHeaders, isLast }: ResponseOptions,
): Promise<void> {
  try {
    const { signal } = request;
    await once(body, 'readable', { signal });
    const all = [...commonHeaders, ...headers];
    if (isLast()) all.push(...closing);
    response.writeHead(status, all);
    if (request.method === 'HEAD') response.end();
    else if (encoding) await pipeline(body, createCompressor(encoding), response);
    else await pipeline(body, response);
  } finally {
    body.destroy();
  }
}
