import { Readable } from 'node:stream';
import type { Context } from '../context.ts';
import { takeBreaks } from '../take-breaks.ts';
import { FileResponse } from './file-response.ts';

const CHUNK_SIZE = 64 * 1024;
/** A download reads this many rows at a time. They are in memory until the client has read them. */
export const ROWS_PER_CHUNK = 200;

/**
 * Downloads a file that is written while its rows are read, so its length does not matter. Every download of records uses
 * this. The context of `write` reads like a heavy read: on SQLite in a thread of its own.
 */
export function streamFile(
  ctx: Context,
  file: { mediaType: string; name: string },
  write: (ctx: Context) => AsyncIterable<string>,
): FileResponse {
  const chunks = toChunks(write({ ...ctx, db: ctx.heavyDb }), ctx.request?.signal);
  const body = Readable.from(inTurn(ctx, chunks), { objectMode: false, highWaterMark: CHUNK_SIZE });
  return new FileResponse(file.mediaType, body, { name: file.name });
}

/** Begins when there is a place for one more download, and frees the place at the end, or when the client has left. */
async function* inTurn({ app, account, request }: Context, chunks: AsyncIterable<string>): AsyncGenerator<string> {
  const leave = request && (await app.downloads.enter(account.id, request));
  try {
    yield* chunks;
  } finally {
    leave?.();
  }
}

/**
 * Joins pieces of any size to chunks: with one chunk for each row, 200,000 rows took 13 s, and no other request got a
 * response meanwhile. Other requests run between two chunks, and when pieces take long. The stream ends when the client
 * has left.
 */
export async function* toChunks(pieces: AsyncIterable<string>, signal?: AbortSignal): AsyncGenerator<string> {
  let chunk = '';
  const takeBreak = takeBreaks();
  for await (const piece of pieces) {
    if (signal?.aborted) return;
    chunk += piece;
    const isFull = chunk.length >= CHUNK_SIZE;
    if (isFull) {
      yield chunk;
      chunk = '';
    }
    await takeBreak(isFull || undefined);
  }
  if (chunk !== '') yield chunk;
}
