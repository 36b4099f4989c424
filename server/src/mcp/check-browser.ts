import { isIP } from 'node:net';
import { forbidden } from '../errors.ts';
import type { HttpRequest } from '../http/http-request.ts';

/**
 * Rejects requests that a page of another site makes a browser send, also if the name of that site was made to lead to
 * this server (DNS rebinding). An assistant sends no `Origin`, and reaches the server by its own name, by an address, or
 * within a private network by a name that no site can have.
 */
export function checkBrowser({ headers }: HttpRequest, publicUrl: string): void {
  const own = new URL(publicUrl);
  const host = hostOf(headers.host);
  if (host === undefined || !(host === own.hostname || isPrivateName(host)))
    throw forbidden(
      `This server is ${own.host}: use that address, or set USHER_PUBLIC_URL to the one that assistants reach it by`,
    );
  const { origin } = headers;
  if (origin !== undefined && origin !== own.origin && !isSameHost(origin, headers.host))
    throw forbidden('Assistants must not call this from a page of another site');
}

function hostOf(host: string | undefined): string | undefined {
  return host !== undefined && URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : undefined;
}

/** No site can have a name below these. */
const reserved = /\.(localhost|local|internal|home\.arpa)$/;

function isPrivateName(host: string): boolean {
  return isIP(host.replace(/^\[|\]$/g, '')) > 0 || !host.includes('.') || reserved.test(host);
}

function isSameHost(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host;
}
