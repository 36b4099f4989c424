import type { HttpRequest } from './http-request.ts';
import { receiveChunks } from './receive.ts';
import type { RequestQueues } from './request-queues.ts';

/** The first buffer for a body of unknown length. */
const INITIAL_BYTES = 64 * 1024;

/** Yields a large body in chunks, with pauses for other requests: without them, a socket delivers megabytes in one go. */
export async function* receiveLargeChunks(
  request: HttpRequest,
  { bodyTimeout, requestActivity }: RequestQueues,
  size: number,
): AsyncGenerator<Buffer> {
  let since = performance.now();
  for await (const chunk of receiveChunks(request, { size, timeout: bodyTimeout })) {
    yield chunk;
    await requestActivity.yieldToRequests(since);
    since = performance.now();
  }
}

/** A buffer that grows with each chunk. Joining all chunks at the end instead would block the thread for a moment. */
export class BodyBuffer {
  readonly #maxBytes: number;
  #buffer: Buffer<ArrayBuffer>;
  #used = 0;

  /** `length` is the length of the body if it is known; `maxBytes` is the limit that the chunks were checked against. */
  constructor(length = INITIAL_BYTES, maxBytes = Number.POSITIVE_INFINITY) {
    this.#maxBytes = maxBytes;
    this.#buffer = Buffer.allocUnsafeSlow(length);
  }

  append(chunk: Uint8Array): void {
    const end = this.#used + chunk.length;
    if (end > this.#buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.min(2 * end, this.#maxBytes));
      this.#buffer.copy(larger, 0, 0, this.#used);
      this.#buffer = larger;
    }
    this.#buffer.set(chunk, this.#used);
    this.#used = end;
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#used);
  }
}

export async function receiveLargeBody(
  request: HttpRequest,
  requestQueues: RequestQueues,
  size: number,
): Promise<Buffer> {
  const body = new BodyBuffer(INITIAL_BYTES, size);
  for await (const chunk of receiveLargeChunks(request, requestQueues, size)) body.append(chunk);
  return body.bytes;
}
