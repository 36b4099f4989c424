import { createHash } from 'node:crypto';
import type { HttpRequest } from './http-request.ts';
import { type HttpResponse, responseWith } from './http-response.ts';

/** A weak ETag of the content: it is the same whether the content is sent compressed or not. */
export function etagOf(content: string | Buffer): string {
  return `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`;
}

/** Whether the client has this version already, by its `If-None-Match` header. ETags are compared weakly. */
export function isKnown({ headers }: Pick<HttpRequest, 'headers'>, etag: string): boolean {
  const { 'if-none-match': known } = headers;
  return known !== undefined && (known.trim() === '*' || known.includes(etag.slice('W/'.length)));
}

/**
 * A JSON response to GET, or 304 if the client has it already. The responses of the API are not to be stored on the way
 * (`no-store`), but a client that polls can keep the ETag itself and save the download.
 */
export function conditionalResponse(request: HttpRequest, json: string): HttpResponse {
  const etag = etagOf(json);
  const headers = { etag, vary: 'accept-encoding' };
  if (isKnown(request, etag)) return responseWith(304, '', headers);
  return responseWith(200, json, { 'content-type': 'application/json; charset=utf-8', ...headers });
}
