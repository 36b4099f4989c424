import type { HeavyReadOptions } from '../db/storage.ts';
import { networkOf } from './client-network.ts';
import type { HttpRequest } from './http-request.ts';
import type { Route } from './route.ts';
import { SessionCookie } from './session-cookie.ts';

declare module '../context.ts' {
  interface Context {
    /** The request that is served, if there is one. */
    readonly request: RequestInfo | undefined;
  }
}

const MAX_USER_AGENT = 255;
/**
 * Results may be some seconds old, so they may come from a replica. What is edited may not: a person who has just saved it
 * expects to read it.
 */
const RESULTS = '/v3/analyze/';

/**
 * What verbs may know of the request that they serve. Most verbs need none of it, so each value is computed when it is
 * first read.
 */
export class RequestInfo {
  readonly #request: HttpRequest;
  readonly #publicUrl: string;
  readonly #route: Pick<Route, 'permission' | 'path'> | undefined;
  #dataAgeMs: number | undefined;
  #cookie: SessionCookie | undefined;

  constructor(request: HttpRequest, publicUrl: string, route?: Pick<Route, 'permission' | 'path'>) {
    this.#request = request;
    this.#publicUrl = publicUrl;
    this.#route = route;
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

  /** A request that only reads ends when its client disconnects. What a request writes is finished without its client. */
  get heavyReads(): HeavyReadOptions | undefined {
    const { permission, path } = this.#route ?? {};
    if (permission !== 'read') return undefined;
    return { signal: this.signal, noteAge: path?.startsWith(RESULTS) ? this.#noteAge : undefined };
  }

  /** How old the data is that was read; undefined if it is current. */
  get dataAgeMs(): number | undefined {
    return this.#dataAgeMs;
  }

  readonly #noteAge = (ageMs: number) => {
    this.#dataAgeMs = Math.max(ageMs, this.#dataAgeMs ?? 0);
  };

  /** The cookie with the session. */
  get cookie(): SessionCookie {
    this.#cookie ??= new SessionCookie(this.#request, this.#publicUrl);
    return this.#cookie;
  }
}
