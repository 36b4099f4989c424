import type { IncomingMessage } from 'node:http';

/** A body up to this size is read to its end, so that the connection can carry the next request. */
const SMALL_BODY = 64 * 1024;
const MAX_DISCARDED = 16 * 1024 * 1024;
const DISCARDS_FOR_MS = 5000;

/** Whether more of a body may still come than is worth reading for the sake of the connection. */
export function hasLargeRest({ headers }: IncomingMessage): boolean {
  return !(Number(headers['content-length'] ?? Number.NaN) <= SMALL_BODY);
}

/**
 * Reads on for a moment before the connection is closed: many clients read the response only after they have sent all
 * of the body, and closing a connection while data arrives can destroy a response that was not yet read.
 */
export function discardBody(incoming: IncomingMessage, done: () => void): void {
  let left = MAX_DISCARDED;
  const stop = () => {
    clearTimeout(timer);
    incoming.off('data', count).off('end', stop).off('close', stop).pause();
    done();
  };
  const count = (piece: Buffer) => {
    left -= piece.length;
    if (left < 0) stop();
  };
  const timer = setTimeout(stop, DISCARDS_FOR_MS);
  incoming.on('data', count).once('end', stop).once('close', stop).resume();
}
