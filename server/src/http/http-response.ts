import type { Readable } from 'node:stream';

export class HttpResponse {
  readonly status: number;
  readonly body: string | Buffer | Readable;
  /** Alternating names and values, which node:http writes fastest. By default, the body is JSON. */
  readonly headers: readonly string[];

  constructor(status: number, body: HttpResponse['body'], headers: HttpResponse['headers'] = jsonHeaders) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

const NO_STORE = { 'cache-control': 'no-store' };
const jsonHeaders = flatten({ ...NO_STORE, 'content-type': 'application/json; charset=utf-8' });

export function jsonResponse(status: number, value: unknown): HttpResponse {
  return new HttpResponse(status, JSON.stringify(value));
}

/** A response that is not necessarily JSON. Unless the headers say otherwise, it must not be stored. */
export function responseWith(
  status: number,
  body: HttpResponse['body'],
  headers: Record<string, string | number>,
): HttpResponse {
  return new HttpResponse(status, body, flatten({ ...NO_STORE, ...headers }));
}

/** Turns named headers into alternating names and values. */
export function flatten(headers: Record<string, string | number>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => [name, String(value)]);
}

/** The value of a header, by its name in lower case. */
export function findHeader(headers: readonly string[], name: string): string | undefined {
  for (let index = 0; index < headers.length; index += 2) if (headers[index] === name) return headers[index + 1];
  return undefined;
}
