import type { IncomingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import { findHeader, type HttpResponse } from './http-response.ts';

/** Smaller bodies fit into one network packet anyway. */
const MIN_BYTES = 1024;
const BROTLI_QUALITY = 4;
/** A stream of events is not compressed, because a compressor would hold the events back. */
const compressibleTypes = /^(text\/(?!event-stream)|application\/(json|javascript|x-yaml|yaml|xml)|image\/svg)/;

export type ContentEncoding = 'br' | 'gzip';

/** The best encoding that the client accepts, if it accepts any. */
export function acceptedEncoding({ 'accept-encoding': accepted }: IncomingHttpHeaders): ContentEncoding | undefined {
  if (accepted === undefined) return undefined;
  return accepts(accepted, 'br') ? 'br' : accepts(accepted, 'gzip') ? 'gzip' : undefined;
}

/** Reads a header such as `gzip;q=0.5, br`. An encoding with `q=0` is rejected by the client. */
function accepts(header: string | string[], encoding: string): boolean {
  return String(header)
    .split(',')
    .map((entry) =>
      entry
        .trim()
        .toLowerCase()
        .split(/\s*;\s*q=/),
    )
    .some(([name, weight = '1']) => name === encoding && Number(weight) !== 0);
}

/** Whether a response gets smaller by compressing it: text that is long enough and not compressed yet. */
export function isCompressible({ status, body, headers }: HttpResponse): boolean {
  if (status === 204 || status === 304) return false;
  if ((typeof body === 'string' || Buffer.isBuffer(body)) && body.length < MIN_BYTES) return false;
  return (
    compressibleTypes.test(findHeader(headers, 'content-type') ?? '') &&
    findHeader(headers, 'content-encoding') === undefined
  );
}

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Compresses a whole body in the thread pool, so that other requests do not wait for it. */
export function compress(body: string | Buffer, encoding: ContentEncoding): Promise<Buffer> {
  return encoding === 'br'
    ? brotli(body, { params: { ...brotliParams, [constants.BROTLI_PARAM_SIZE_HINT]: body.length } })
    : gzipped(body);
}

export function createCompressor(encoding: ContentEncoding): Duplex {
  return encoding === 'br' ? createBrotliCompress({ params: brotliParams }) : createGzip();
}

const brotliParams = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
