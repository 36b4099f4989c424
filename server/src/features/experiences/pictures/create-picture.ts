import { readFile, stat } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { findPictureProblem, MAX_PICTURE_BYTES, type Picture, type PictureFile, readPicture } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { invalid, tooLarge } from '../../../errors.ts';
import { ResponseWithStatus, type UploadedFile } from '../../../http/route.ts';
import { storePicture } from '../picture-files/store-picture.ts';
import { presentPicture } from './present-picture.ts';

/** Stores the first file, and the second one as the same picture with twice as many pixels. */
export async function createPicture(
  ctx: Context,
  params: { name?: string },
  uploads: readonly UploadedFile[] = [],
): Promise<ResponseWithStatus<{ picture: Picture }>> {
  if (uploads.length === 0 || uploads.length > 2)
    throw invalid(
      '`files[]` is required: send a multipart form with one picture, or with the same picture in two sizes',
    );
  const files: { bytes: Buffer; picture: PictureFile }[] = [];
  for (const upload of uploads) files.push(await readUpload(upload));
  const [one, two] = files.map(({ picture }) => picture);
  if (!one || (two && !isTwice(one, two)))
    throw invalid('The second file must have the same format as the first, and twice its width and height');
  const { type, width, height } = one;
  const name = params.name ?? nameOf(uploads[0]?.name ?? '');
  const { row, isNew } = await storePicture(ctx, { name, type, width, height, files: files.map(({ bytes }) => bytes) });
  return new ResponseWithStatus(isNew ? 201 : 200, { picture: presentPicture(row) });
}

async function readUpload({ name, path }: UploadedFile): Promise<{ bytes: Buffer; picture: PictureFile }> {
  if ((await stat(path)).size > MAX_PICTURE_BYTES) throw tooLarge(`${name} is larger than 5 MB: make it smaller`);
  const bytes = await readFile(path);
  // Other requests run before the bytes are looked at, and between two files.
  await setImmediate();
  const picture = readPicture(bytes);
  const problem = findPictureProblem(bytes, picture);
  if (problem !== undefined || !picture) throw invalid(`${name}: ${problem}`);
  return { bytes, picture };
}

/** The sizes are rounded, so they may differ by a pixel. */
function isTwice(one: PictureFile, two: PictureFile): boolean {
  const isNear = (side: 'width' | 'height') => Math.abs(two[side] - 2 * one[side]) <= 1;
  return one.type === two.type && isNear('width') && isNear('height');
}

/** "login-page.png" is called "login-page". */
function nameOf(file: string): string {
  const name = file.replace(/\p{Cc}/gu, ' ').replace(/\.\w{2,5}$/, '');
  return name.trim().slice(0, 255).toWellFormed() || 'Picture';
}
