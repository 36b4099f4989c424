import { createHash } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A text in each of the forms in which it can be sent. */
export interface Encoded {
  identity: Buffer;
  br: Buffer;
  gzip: Buffer;
  etag: string;
}

export function encode(text: string | Buffer, ready: Partial<Pick<Encoded, 'br' | 'gzip'>> = {}): Encoded {
  const identity = Buffer.from(text);
  const etag = `"${createHash('sha256').update(identity).digest('base64url').slice(0, 27)}"`;
  return { identity, br: ready.br ?? brotliCompressSync(identity), gzip: ready.gzip ?? gzipSync(identity), etag };
}

/** In the shortest form that the browser takes; nothing where it has it already. */
export function sendEncoded(request: FastifyRequest, reply: FastifyReply, encoded: Encoded): FastifyReply {
  reply.header('etag', encoded.etag).header('vary', 'accept-encoding');
  const known = request.headers['if-none-match'] ?? '';
  if (known.split(',').some((one) => one.trim().replace(/^W\//, '') === encoded.etag)) return reply.code(304).send();
  const taken = String(request.headers['accept-encoding'] ?? '');
  const encoding = /\bbr\b/.test(taken) ? 'br' : /\bgzip\b/.test(taken) ? 'gzip' : 'identity';
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.send(encoded[encoding]);
}
