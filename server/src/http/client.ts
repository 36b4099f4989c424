import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import proxyAddress from '@fastify/proxy-addr';
import type { Settings } from '../settings/settings.ts';
import type { UntrustedProxies } from './untrusted-proxies.ts';

/** The client of a request, as the trusted proxies report it. */
export interface Client {
  ip: string;
  /** Whether the request came by HTTPS, as far as this server and the trusted proxies know. */
  isHttps: boolean;
  /** Whether the request came by HTTPS, or as plain HTTP from this machine without a proxy. */
  isSafe: boolean;
}

export function readClientWith(
  trustProxy: Settings['trustProxy'],
  untrusted?: UntrustedProxies,
): (request: IncomingMessage) => Client {
  if (trustProxy === false) {
    return (request) => {
      const { socket } = request;
      untrusted?.note(request);
      const ip = socket.remoteAddress ?? '';
      const isHttps = isEncrypted(socket);
      return { ip, isHttps, isSafe: isHttps || isLoopback(ip) };
    };
  }
  const isTrusted = trustProxy === true ? () => true : proxyAddress.compile(trustProxy);
  return (request) => {
    const { socket, headers } = request;
    const nearest = socket.remoteAddress ?? '';
    const addresses = proxyAddress.all(request, isTrusted);
    const isProxy = isTrusted(nearest, 0);
    if (!isProxy) untrusted?.note(request);
    const protocol = isProxy ? lastOf(headers['x-forwarded-proto']) : '';
    const isHttps = protocol === '' ? isEncrypted(socket) : protocol === 'https';
    return {
      ip: addresses.at(-1) ?? nearest,
      isHttps,
      isSafe: isHttps || (addresses.length === 1 && isLoopback(nearest)),
    };
  };
}

/** Each proxy appends its own value, so the last value comes from the nearest proxy. */
function lastOf(header: string | string[] | undefined): string {
  return String(header ?? '')
    .split(',')
    .at(-1)
    ?.trim() as string;
}

function isEncrypted(socket: IncomingMessage['socket']): boolean {
  return (socket as TLSSocket).encrypted === true;
}

function isLoopback(address: string): boolean {
  return /^(127\.|::1$|::ffff:127\.)/.test(address);
}
