import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import { acceptedEncoding } from './compression.ts';
import { etagOf, isKnown } from './etag.ts';
import type { HttpRequest } from './http-request.ts';
import { type HttpResponse, responseWith } from './http-response.ts';

/** A text that is sent many times, compressed in advance. */
export interface EncodedText {
  identity: Buffer;
  br: Buffer;
  gzip: Buffer;
  etag: string;
}

export function encodeText(text: string | Buffer, ready: Partial<Pick<EncodedText, 'br' | 'gzip'>> = {}): EncodedText {
  const identity = Buffer.from(text);
  const etag = etagOf(identity);
  return { identity, br: ready.br ?? brotliCompressSync(identity), gzip: ready.gzip ?? gzipSync(identity), etag };
}

/** For texts whose first client waits: 65 KB in 40 ms for the description of the API. The highest quality makes 60 KB in 1.5 s. */
const BROTLI_QUALITY = 9;

/** Encodes long texts in the background: compressing them takes longer than other requests should wait. */
export async function encodeTextInBackground(text: string | Buffer): Promise<EncodedText> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const [br, gzipped] = await Promise.all([promisify(brotliCompress)(text, { params }), promisify(gzip)(text)]);
  return encodeText(text, { br, gzip: gzipped });
}

/** Sends the smallest form that the client accepts, or 304 if the client has the text already. */
export function encodedResponse(
  request: Pick<HttpRequest, 'headers'>,
  encoded: EncodedText,
  ownHeaders: Record<string, string>,
): HttpResponse {
  const headers = { ...ownHeaders, etag: encoded.etag, vary: 'accept-encoding' };
  if (isKnown(request, encoded.etag)) return responseWith(304, '', headers);
  const encoding = acceptedEncoding(request.headers);
  if (!encoding) return responseWith(200, encoded.identity, headers);
  return responseWith(200, encoded[encoding], { ...headers, 'content-encoding': encoding });
}
