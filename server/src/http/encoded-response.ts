import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, gzip, gzipSync } from 'node:zlib';
import type { HttpRequest } from './http-request.ts';
import { type HttpResponse, responseWith } from './http-response.ts';

/** A text in each of the forms in which it can be sent. */
export interface Encoded {
  identity: Buffer;
  br: Buffer;
  gzip: Buffer;
  /** Weak: the same of all forms. */
  etag: string;
}

export function encode(text: string | Buffer, ready: Partial<Pick<Encoded, 'br' | 'gzip'>> = {}): Encoded {
  const identity = Buffer.from(text);
  const etag = `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 27)}"`;
  return { identity, br: ready.br ?? brotliCompressSync(identity), gzip: ready.gzip ?? gzipSync(identity), etag };
}

/** The same for long texts: compressing them takes longer than other requests should wait. */
export async function encodeInBackground(text: string | Buffer): Promise<Encoded> {
  const [br, gzipped] = await Promise.all([promisify(brotliCompress)(text), promisify(gzip)(text)]);
  return encode(text, { br, gzip: gzipped });
}

/** In the shortest form that the browser takes; nothing where it has it already. */
export function encodedResponse(
  request: Pick<HttpRequest, 'headers'>,
  encoded: Encoded,
  own: Record<string, string>,
): HttpResponse {
  const { 'if-none-match': known = '', 'accept-encoding': taken = '' } = request.headers;
  const headers = { ...own, etag: encoded.etag, vary: 'accept-encoding' };
  if (known.includes(encoded.etag.slice('W/'.length))) return responseWith(304, '', headers);
  const encoding = takes(taken, 'br') ? 'br' : takes(taken, 'gzip') ? 'gzip' : 'identity';
  const encodings = encoding === 'identity' ? {} : { 'content-encoding': encoding };
  return responseWith(200, encoded[encoding], { ...headers, ...encodings });
}

/** By the words of a header such as `gzip;q=0.5, br`; with `q=0` it is refused. */
function takes(header: string | string[], encoding: string): boolean {
  return String(header)
    .split(',')
    .map((one) =>
      one
        .trim()
        .toLowerCase()
        .split(/\s*;\s*q=/),
    )
    .some(([name, weight = '1']) => name === encoding && Number(weight) !== 0);
}
