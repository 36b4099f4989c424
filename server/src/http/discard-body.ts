import type { IncomingMessage } from 'node:http';

/** A body up to this size is read to its end, so that the connection can carry the next request. */
const SMALL_BODY = 64 * 1024;
const MAX_DISCARDED_BYTES = 16 * 1024 * 1024;
const MAX_DISCARDING_MS = 2000;

/** Whether the unread rest of a body may be larger than what is worth reading in order to keep the connection. */
export function hasLargeRest({ headers }: IncomingMessage): boolean {
  return !(Number(headers['content-length'] ?? Number.NaN) <= SMALL_BODY);
}

/**
 * Reads and drops the rest of a body, for two seconds and 16 MB at most. Many clients read the response only after they
 * have sent the whole body, and closing a connection while data arrives resets it: the client then loses a response that
 * it has not read yet.
 */
export function discardBody(incoming: IncomingMessage, done: (isComplete: boolean) => void): void {
  let bytesLeft = MAX_DISCARDED_BYTES;
  const stop = () => {
    clearTimeout(timer);
    incoming.off('data', count).off('end', stop).off('close', stop).pause();
    done(incoming.complete);
  };
  const count = (chunk: Buffer) => {
    bytesLeft -= chunk.length;
    if (bytesLeft < 0) stop();
  };
  const timer = setTimeout(stop, MAX_DISCARDING_MS);
  incoming.on('data', count).once('end', stop).once('close', stop).resume();
}
