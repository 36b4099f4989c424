import { SESSION_MAX_MS } from '@usher/domain';
import { forbidden } from '../errors.ts';
import type { HttpRequest } from './http-request.ts';

/**
 * How the browser reached us. `loopback` is plain HTTP within this machine, where nobody can listen. `plain` is HTTP across
 * a network, where anybody between could take the cookie.
 */
type Transport = 'https' | 'loopback' | 'plain';

/** A `__Host-` cookie is `Secure` and belongs to exactly one host, so neither a subdomain nor plain HTTP can replace it. */
const names: Record<Transport, string | undefined> = {
  https: '__Host-usher',
  loopback: 'usher_session',
  plain: undefined,
};

/** The cookie of a request that holds the token of its session. */
export class SessionCookie {
  readonly #request: HttpRequest;
  readonly #publicUrl: URL;
  readonly #transport: Transport;

  constructor(request: HttpRequest, publicUrl: string) {
    this.#request = request;
    this.#publicUrl = new URL(publicUrl);
    this.#transport = transportOf(request, this.#publicUrl);
  }

  /** The token of the session, if the browser sent one. */
  get token(): string | undefined {
    const name = names[this.#transport];
    return name === undefined ? undefined : readCookie(this.#request.headers.cookie ?? '', name);
  }

  /** The headers that give the browser a token, or take it away. */
  set(token: string | null): Record<string, string> {
    this.checkTransport();
    const secure = this.#transport === 'https' ? '; Secure' : '';
    const age = token === null ? 0 : SESSION_MAX_MS / 1000;
    const rest = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${age}${secure}`;
    return { 'set-cookie': `${names[this.#transport]}=${token ?? ''}; ${rest}` };
  }

  /** Rejects signing in where a cookie could be stolen on its way. */
  checkTransport(): void {
    if (this.#transport !== 'plain') return;
    throw forbidden(
      'Signing in needs HTTPS, because anybody between you and this server could read your password here. Set USHER_TLS_CERT and USHER_TLS_KEY, or put a proxy with TLS in front and set USHER_TRUST_PROXY and USHER_PUBLIC_URL, or use a tunnel such as `ssh -L 3400:127.0.0.1:3400 <server>` and open http://127.0.0.1:3400',
    );
  }

  /**
   * Rejects a request that another site may have made the browser send. Browsers say where a request comes from in
   * `Sec-Fetch-Site`, or at least in `Origin`, and pages cannot change these. A request with neither is not from a browser
   * that we trust with a cookie.
   */
  checkOrigin(): void {
    const { method, headers } = this.#request;
    if (method === 'GET' || method === 'HEAD') return;
    const site = headers['sec-fetch-site'];
    if (site === undefined ? this.#isOwn(headers.origin) : site === 'same-origin') return;
    throw forbidden(
      `This request does not come from a page of this server, so its cookie is not accepted. Use the dashboard at ${this.#publicUrl.origin}, send \`Origin: ${this.origin}\`, or use an account secret instead`,
    );
  }

  #isOwn(origin: string | undefined): boolean {
    return origin !== undefined && (origin === this.#publicUrl.origin || origin === this.origin);
  }

  /** The origin that the browser has in its address bar, as far as the request says. */
  get origin(): string {
    return `http${this.#transport === 'https' ? 's' : ''}://${this.#request.headers.host}`;
  }
}

const loopbackHost = /^(localhost|[\w-]+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i;
const forwardingHeaders = ['forwarded', 'via', 'x-real-ip', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host'];

function transportOf({ client, headers }: HttpRequest, publicUrl: URL): Transport {
  // A proxy on the same machine may end TLS without being trusted. Then the public URL says that the browser used
  // HTTPS.
  if (client.isHttps || (publicUrl.protocol === 'https:' && headers.host === publicUrl.host)) return 'https';
  // A proxy on the same machine looks like a browser on it, but the clients of the proxy are elsewhere.
  const isForwarded = forwardingHeaders.some((name) => headers[name] !== undefined);
  return client.isSafe && !isForwarded && loopbackHost.test(headers.host ?? '') ? 'loopback' : 'plain';
}

function readCookie(header: string, name: string): string | undefined {
  for (const part of header.split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim() || undefined;
  }
  return undefined;
}
