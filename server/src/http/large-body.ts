import type { IncomingMessage } from 'node:http';
import { errorCodes, type FastifyRequest } from 'fastify';
import type { Traffic } from './traffic.ts';

/** Of a body that does not say how long it is. */
const FIRST_ROOM = 64 * 1024;

/**
 * Takes in a large body a piece at a time, between which others have their turn: left alone, a socket gives megabytes
 * at once. They go straight to where they stay, since putting them together at the end would be a pause, too.
 */
export async function takeInLargeBody(
  request: FastifyRequest,
  incoming: IncomingMessage,
  traffic: Traffic,
  limit = request.routeOptions.bodyLimit,
): Promise<Buffer> {
  const length = Number(request.headers['content-length'] ?? FIRST_ROOM);
  if (length > limit) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
  let body = Buffer.allocUnsafeSlow(length);
  let taken = 0;
  let since = performance.now();
  for await (const piece of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    const end = taken + piece.length;
    if (end > limit) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
    if (end > body.length) {
      const larger = Buffer.allocUnsafeSlow(Math.min(2 * end, limit));
      body.copy(larger, 0, 0, taken);
      body = larger;
    }
    piece.copy(body, taken);
    taken = end;
    await traffic.others.giveWay(since);
    since = performance.now();
  }
  return body.subarray(0, taken);
}
