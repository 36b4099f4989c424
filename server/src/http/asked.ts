import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { type Refusal, tooLarge } from '../errors.ts';
import type { Client } from './client.ts';
import type { Counted } from './limits.ts';

const LARGEST_BODY = 1024 * 1024;

/** A request, as those see it who answer it. */
export class Asked implements Counted {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  /** Of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly client: Client;
  countedSecret: string | undefined = undefined;
  /** Once it is known. */
  accountId: string | undefined = undefined;

  constructor(incoming: IncomingMessage, response: ServerResponse, params: Asked['params'], client: Client) {
    this.incoming = incoming;
    this.response = response;
    this.params = params;
    this.client = client;
  }

  get headers(): IncomingHttpHeaders {
    return this.incoming.headers;
  }

  get url(): string | undefined {
    return this.incoming.url;
  }

  get ip(): string {
    return this.client.ip;
  }

  /** The Content-Type as the client sent it. */
  get mediaType(): string {
    return (this.headers['content-type'] ?? '').trim();
  }

  /** Whatever its method and media type say. */
  get hasBody(): boolean {
    return this.headers['content-length'] !== undefined || this.headers['transfer-encoding'] !== undefined;
  }
}

/** The whole body, of a request that has one. */
export async function takeInBody({ incoming, headers, hasBody }: Asked): Promise<Buffer | undefined> {
  if (!hasBody) return undefined;
  const length = Number(headers['content-length']);
  if (length > LARGEST_BODY) throw bodyTooLarge(LARGEST_BODY);
  // Most bodies come along with their headers, and are there once those have been dealt with: waiting for them takes longer.
  await undefined;
  return incoming.readableLength === length ? (incoming.read() ?? undefined) : bodyInPieces(incoming);
}

function bodyInPieces(incoming: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    incoming.on('data', (piece: Buffer) => {
      length += piece.length;
      if (length <= LARGEST_BODY) pieces.push(piece);
      else reject(bodyTooLarge(LARGEST_BODY));
    });
    incoming.on('end', () => resolve(Buffer.concat(pieces)));
    incoming.on('error', reject);
  });
}

export function bodyTooLarge(limit: number): Refusal {
  return tooLarge(`The body is larger than ${limit / 1024 / 1024} MB`);
}
