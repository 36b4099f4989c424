import type { HttpRequest } from './http-request.ts';
import type { HttpResponse } from './http-response.ts';

/** Turns a request into a response. Whatever it throws becomes an error response. */
export type Handler = (request: HttpRequest) => Promise<HttpResponse>;

export interface Endpoint {
  path: string;
  anyOrigin: boolean;
  compress: boolean;
  isPageLoad: boolean;
  isBelowBasePath?: boolean;
  /** Whether the response goes out as plain HTTP on purpose, and so without HSTS. */
  isPlain?: boolean;
  handle: Handler;
}
