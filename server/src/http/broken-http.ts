import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../errors.ts';
import { errorBody } from './error-response.ts';

/** How long a client that did not send valid HTTP may take to read the error and close the connection. */
const CLOSE_TIMEOUT_MS = 5000;

const messages = {
  400: 'This is not a valid HTTP request',
  408: 'The request took too long to arrive',
  431: 'The headers, with the address, are larger than 16 KB',
} as const;

/**
 * Writes an error to the socket of a client that did not send valid HTTP, and closes it. Nothing is written while another
 * response is pending: it would be written into that response, or be taken for it.
 */
export function respondToBrokenHttp(
  error: NodeJS.ErrnoException,
  socket: Socket,
  pending: ServerResponse | undefined,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return;
  if (pending && (pending.headersSent || pending.req.complete)) {
    socket.destroy();
    return;
  }
  const code = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
  const body = JSON.stringify(errorBody(new ApiError(code, [messages[code]])));
  socket.end(
    `HTTP/1.1 ${code} ${STATUS_CODES[code]}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS).unref();
}
