import { type Duplex, pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Millis } from '@usher/domain';
import { ApiError, invalid, tooLarge } from '../errors.ts';
import type { HttpRequest } from './http-request.ts';

/** One kilobyte a second is less than any connection that works at all. */
const MIN_BYTES_PER_MS = 1;

const decoders: Record<string, () => Duplex> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** How a body may arrive. */
export interface BodyLimits {
  /** In bytes, decoded. */
  size: number;
  /** For how long a client may send nothing. What it sends slower than a kilobyte a second uses this up as well. */
  patience: Millis;
}

/**
 * The body in pieces, decoded. It is never read faster than the pieces are used, so that a small body that decodes into
 * a huge one takes no more memory than any other.
 */
export async function* receiveBody(request: HttpRequest, { size, patience }: BodyLimits): AsyncGenerator<Buffer> {
  if (request.receivedBody) {
    yield request.receivedBody;
    return;
  }
  if (Number(request.headers['content-length'] ?? 0) > size) throw bodyTooLarge(size);
  const encoding = encodingOf(request);
  const sent = upTo(size, atMinimumRate(request, patience));
  yield* encoding === undefined ? sent : upTo(size, decoded(request, encoding, sent));
}

/** The `Content-Encoding`, where it says more than that the body is sent as it is. */
export function encodingOf({ headers }: HttpRequest): string | undefined {
  const encoding = headers['content-encoding']?.trim().toLowerCase();
  if (!encoding || encoding === 'identity') return undefined;
  if (Object.hasOwn(decoders, encoding)) return encoding;
  throw new ApiError(415, ['The `Content-Encoding` of a body must be `gzip`, `deflate`, `br` or `identity`']);
}

export function bodyTooLarge(limit: number): ApiError {
  const size = limit < 1024 * 1024 ? `${limit / 1024} KB` : `${limit / 1024 / 1024} MB`;
  return tooLarge(`The body is larger than ${size}`);
}

async function* upTo(size: number, pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let received = 0;
  for await (const piece of pieces) {
    received += piece.length;
    if (received > size) throw bodyTooLarge(size);
    yield piece;
  }
}

async function* decoded(
  { response }: HttpRequest,
  encoding: string,
  sent: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const decoder = (decoders[encoding] as () => Duplex)();
  let failure: unknown;
  let ended = false;
  // A failure ends the decoder too, so that it is thrown where the pieces are read.
  pipeline(sent, decoder, (error) => {
    failure = error;
  });
  try {
    for await (const piece of decoder) yield piece;
    ended = true;
  } catch (error) {
    const cause = failure ?? error;
    throw isDecodingError(cause) ? invalid(`The body is not valid ${encoding}`) : cause;
  } finally {
    // The rest is still being waited for, and would be taken for the next request.
    if (!ended) response.shouldKeepAlive = false;
  }
}

function isDecodingError(error: unknown): boolean {
  return /^(Z_|ERR__ERROR_)/.test(String((error as { code?: unknown }).code));
}

/**
 * Only the time counts during which the server waits for the client, and not the time for which it does not read. The
 * connection of a client that is too slow is closed behind the response: the rest of the body would come just as slowly.
 */
async function* atMinimumRate({ incoming, response }: HttpRequest, patience: Millis): AsyncGenerator<Buffer> {
  const pieces = incoming.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  let left = patience;
  try {
    for (;;) {
      const began = performance.now();
      const next = pieces.next();
      if (!(await settles(next, left))) {
        response.shouldKeepAlive = false;
        // It fails when the connection is closed.
        next.catch(() => {});
        throw new ApiError(408, ['The body came too slowly: send a kilobyte a second at least']);
      }
      const { done, value } = await next;
      if (done) return;
      left = Math.min(patience, left - (performance.now() - began) + value.length / MIN_BYTES_PER_MS);
      yield value;
    }
  } finally {
    // Lets go of the request, so that what is left of the body can be read and dropped.
    pieces.return?.().catch(() => {});
  }
}

/** Whether it settles, or fails, within this time. */
function settles(promise: Promise<unknown>, ms: Millis): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    const settled = () => {
      clearTimeout(timer);
      resolve(true);
    };
    promise.then(settled, settled);
  });
}
