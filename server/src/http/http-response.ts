import type { Readable } from 'node:stream';

/** What is sent back. */
export class HttpResponse {
  readonly status: number;
  readonly body: string | Buffer | Readable;
  /** Names and values in turns: that is written fastest. Left out, the body is JSON. */
  readonly headers: readonly string[];

  constructor(status: number, body: HttpResponse['body'], headers: HttpResponse['headers'] = jsonHeaders) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

const NO_STORE = { 'cache-control': 'no-store' };
const jsonHeaders = flat({ ...NO_STORE, 'content-type': 'application/json; charset=utf-8' });

export function jsonResponse(status: number, value: unknown): HttpResponse {
  return new HttpResponse(status, JSON.stringify(value));
}

/** Something else than JSON. Unless the headers say otherwise, nobody keeps it. */
export function responseWith(
  status: number,
  body: HttpResponse['body'],
  headers: Record<string, string | number>,
): HttpResponse {
  return new HttpResponse(status, body, flat({ ...NO_STORE, ...headers }));
}

export function flat(headers: Record<string, string | number>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => [name, String(value)]);
}
