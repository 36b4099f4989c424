import { Readable } from 'node:stream';
import { parsePicturePath, pictureTypes } from '@usher/domain';
import type { AppContext } from '../context.ts';
import { ApiError } from '../errors.ts';
import type { Handler } from '../http/endpoint.ts';
import { isKnown } from '../http/etag.ts';
import { responseWith } from '../http/http-response.ts';
import type { Limits } from '../http/limits.ts';
import type { HttpServer } from '../http/server.ts';

/**
 * Serves pictures. What is behind a path never changes, so browsers and CDNs keep it for good. A file is read and sent piece by piece:
 * a slow client keeps one piece in memory, and page loads run between two pieces. `@1x` asks for the smaller file: content blockers stop
 * names that end with the size of an advertisement, such as `728x90.png`.
 */
export function addMedia(server: HttpServer, { storage }: AppContext, limits: Limits): void {
  const servePicture: Handler = async (request) => {
    limits.countPage(request.ip);
    const name = request.params.name?.replace('@1x.', '.');
    const path = parsePicturePath(`/media/${request.params.account}/${name}`);
    const file = path && (await findFile(path));
    if (!path || !file) {
      limits.countWrong(request.ip);
      throw new ApiError(404, ['There is no such picture']);
    }
    request.accountId = path.accountId;
    const etag = `"${path.hash}-${path.scale}"`;
    const headers = { ...commonHeaders, 'content-type': pictureTypes[path.type], etag };
    if (isKnown(request, `W/${etag}`)) return responseWith(304, '', headers);
    const pieces = readPieces(path);
    const { value: first } = await pieces.next();
    if (first?.length === file.size) return responseWith(200, first, headers);
    const body = Readable.from(withFirst(first, pieces), { objectMode: false });
    return responseWith(200, body, { ...headers, 'content-length': file.size });
  };
  server.add(['GET'], '/media/:account/:name', servePicture, { isForPages: true });

  type Path = NonNullable<ReturnType<typeof parsePicturePath>>;

  /** The path must be right in every part: the type in it becomes the type of the response. */
  const findFile = async ({ accountId, hash, width, height, scale, type }: Path) => {
    const row = await storage
      .reader(accountId)
      .selectFrom('pictures')
      .select(['size', 'size_2x'])
      .where('account_id', '=', accountId)
      .where('hash', '=', hash)
      .where('width', '=', width)
      .where('height', '=', height)
      .where('type', '=', type)
      .executeTakeFirst();
    const size = scale === 2 ? row?.size_2x : row?.size;
    return size ? { size } : undefined;
  };

  async function* readPieces({ accountId, hash, scale }: Path): AsyncGenerator<Buffer, undefined> {
    for (let position = 0; ; position++) {
      const piece = await storage
        .reader(accountId)
        .selectFrom('picture_pieces')
        .select('bytes')
        .where('account_id', '=', accountId)
        .where('hash', '=', hash)
        .where('scale', '=', scale)
        .where('position', '=', position)
        .executeTakeFirst();
      if (!piece) return;
      yield piece.bytes;
    }
  }
}

async function* withFirst(first: Buffer | undefined, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (first) yield first;
  yield* rest;
}

/** Were a browser to take a picture for a page, no script in it would run. */
const commonHeaders = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
};
