import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Others may end up in the log as something that they are not. */
const usable = /^[\w.-]{1,128}$/;

/** The ID that the client has given its request, or a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && usable.test(given) ? given : randomUUID();
}
