import type { Readable } from 'node:stream';

/** What is sent back. */
export class Reply {
  readonly status: number;
  readonly body: string | Buffer | Readable;
  /** Names and values in turns: that is written fastest. Left out, the body is JSON. */
  readonly headers: readonly string[];

  constructor(status: number, body: Reply['body'], headers: Reply['headers'] = jsonHeaders) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

const NO_STORE = { 'cache-control': 'no-store' };
const jsonHeaders = flat({ ...NO_STORE, 'content-type': 'application/json; charset=utf-8' });

export function jsonReply(status: number, value: unknown): Reply {
  return new Reply(status, JSON.stringify(value));
}

/** Something else than JSON. Unless the headers say otherwise, nobody keeps it. */
export function replyWith(status: number, body: Reply['body'], headers: Record<string, string | number>): Reply {
  return new Reply(status, body, flat({ ...NO_STORE, ...headers }));
}

export function flat(headers: Record<string, string | number>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => [name, String(value)]);
}
