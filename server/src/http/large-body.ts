import type { HttpRequest } from './http-request.ts';
import { receiveBody } from './receive.ts';
import type { RequestQueues } from './request-queues.ts';

/** Of a body that does not say how long it is. */
const FIRST_ROOM = 64 * 1024;

/** A large body, a piece at a time, between which others have their turn: left alone, a socket gives megabytes at once. */
export async function* piecesOf(
  request: HttpRequest,
  requestQueues: RequestQueues,
  size: number,
): AsyncGenerator<Buffer> {
  let since = performance.now();
  for await (const piece of receiveBody(request, { size, patience: requestQueues.patience })) {
    yield piece;
    await requestQueues.requestActivity.yieldToRequests(since);
    since = performance.now();
  }
}

/** Pieces go straight to where they stay: putting them together at the end would be a pause, too. */
export class GrowingBody {
  readonly #most: number;
  #room: Buffer<ArrayBuffer>;
  #taken = 0;

  /** Of this length, where it is known, and no larger than the limit that the pieces were checked against. */
  constructor(length = FIRST_ROOM, most = Number.POSITIVE_INFINITY) {
    this.#most = most;
    this.#room = Buffer.allocUnsafeSlow(length);
  }

  add(piece: Uint8Array): void {
    const end = this.#taken + piece.length;
    if (end > this.#room.length) {
      const larger = Buffer.allocUnsafeSlow(Math.min(2 * end, this.#most));
      this.#room.copy(larger, 0, 0, this.#taken);
      this.#room = larger;
    }
    this.#room.set(piece, this.#taken);
    this.#taken = end;
  }

  get whole(): Buffer {
    return this.#room.subarray(0, this.#taken);
  }
}

export async function takeInLargeBody(...params: Parameters<typeof piecesOf>): Promise<Buffer> {
  const body = new GrowingBody(FIRST_ROOM, params[2]);
  for await (const piece of piecesOf(...params)) body.add(piece);
  return body.whole;
}
