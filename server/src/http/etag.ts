import { createHash } from 'node:crypto';
import { takeBreaks } from '../take-breaks.ts';
import type { HttpRequest } from './http-request.ts';
import { type HttpResponse, responseWith } from './http-response.ts';

/** A weak ETag of the content: it is the same whether the content is sent compressed or not. */
export function etagOf(content: string | Buffer): string {
  return formatEtag(createHash('sha256').update(content).digest('base64url'));
}

const formatEtag = (digest: string) => `W/"${digest.slice(0, 27)}"`;

/** Whether the client has this version already, by its `If-None-Match` header. ETags are compared weakly. */
export function isKnown({ headers }: Pick<HttpRequest, 'headers'>, etag: string): boolean {
  const { 'if-none-match': known } = headers;
  return known !== undefined && (known.trim() === '*' || known.includes(etag.slice('W/'.length)));
}

/**
 * A JSON response to GET, or 304 if the client has it already. The responses of the API are not to be stored on the way
 * (`no-store`), but a client that polls can keep the ETag itself and save the download.
 */
export async function conditionalResponse(request: HttpRequest, value: object): Promise<HttpResponse> {
  const { json, etag } = hasLongList(value) ? await writeInPieces(value) : writeTogether(value);
  const headers = { etag, vary: 'accept-encoding' };
  if (isKnown(request, etag)) return responseWith(304, '', headers);
  return responseWith(200, json, { 'content-type': 'application/json; charset=utf-8', ...headers });
}

/** A list with more rows is written row by row: 500 Experiences have 1.2 MB, and others would wait for all of it. */
const MANY_ROWS = 50;
const PIECE_SIZE = 64 * 1024;

const isLongList = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > MANY_ROWS;
const hasLongList = (value: object) => Object.values(value).some(isLongList);

function writeTogether(value: object) {
  const json = JSON.stringify(value);
  return { json, etag: etagOf(json) };
}

/** The same text and ETag as of `writeTogether`, with breaks for other requests. */
async function writeInPieces(value: object) {
  const takeBreak = takeBreaks();
  const hash = createHash('sha256');
  let [json, piece] = ['', ''];
  const flush = () => {
    hash.update(piece);
    json += piece;
    piece = '';
  };
  for (const text of jsonPieces(value)) {
    piece += text;
    if (piece.length >= PIECE_SIZE) flush();
    await takeBreak();
  }
  flush();
  return { json, etag: formatEtag(hash.digest('base64url')) };
}

function* jsonPieces(value: object): Generator<string> {
  let before = '{';
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    before = ',';
    if (!isLongList(member)) {
      yield JSON.stringify(member);
      continue;
    }
    for (const [at, row] of member.entries()) yield `${at === 0 ? '[' : ','}${JSON.stringify(row) ?? 'null'}`;
    yield ']';
  }
  yield before === '{' ? '{}' : '}';
}
