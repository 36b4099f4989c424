import { networkOf } from './client-network.ts';
import type { HttpRequest } from './http-request.ts';
import { SessionCookie } from './session-cookie.ts';

declare module '../context.ts' {
  interface Context {
    /** The request that is served, if there is one. */
    readonly request: RequestInfo | undefined;
  }
}

const MAX_USER_AGENT = 255;

/**
 * What verbs may know of the request that they serve. Most verbs need none of it, so each value is computed when it is
 * first read.
 */
export class RequestInfo {
  readonly #request: HttpRequest;
  readonly #publicUrl: string;
  #cookie: SessionCookie | undefined;

  constructor(request: HttpRequest, publicUrl: string) {
    this.#request = request;
    this.#publicUrl = publicUrl;
  }

  /** The address of the client, or the network that it is in. */
  get network(): string {
    return networkOf(this.#request.ip);
  }

  get userAgent(): string {
    const text = this.#request.headers['user-agent'] ?? '';
    // Node reads headers as bytes, so characters outside of ASCII are unreadable, and of no use in a list of devices.
    return text.replace(/[^\x20-\x7e]/g, '?').slice(0, MAX_USER_AGENT);
  }

  /** Whether a page of another site made the browser send the request. Browsers send the cookie with links from other sites. */
  get isFromOtherSite(): boolean {
    const site = this.#request.headers['sec-fetch-site'];
    return site !== undefined && site !== 'same-origin' && site !== 'none';
  }

  /** Aborted when the client disconnects: then nobody waits for the rest of the work. */
  get signal(): AbortSignal {
    return this.#request.signal;
  }

  /** The cookie with the session. */
  get cookie(): SessionCookie {
    this.#cookie ??= new SessionCookie(this.#request, this.#publicUrl);
    return this.#cookie;
  }
}
