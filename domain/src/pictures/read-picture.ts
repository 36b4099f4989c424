import type { PictureFile } from './picture-file.ts';
import { readAvif } from './read-avif.ts';
import { readGif } from './read-gif.ts';
import { readJpeg } from './read-jpeg.ts';
import { readPng } from './read-png.ts';
import { readWebp } from './read-webp.ts';

export const MAX_PICTURE_BYTES = 5_000_000;
/** Wider or higher than any screen. A few bytes can describe a picture that fills the memory of a browser. */
export const MAX_PICTURE_SIDE = 8192;

/**
 * Reads what a file is by its content: its name and the type that a client says prove nothing. Undefined if it is none of the
 * formats, is cut off, or has no size.
 */
export function readPicture(bytes: Uint8Array): PictureFile | undefined {
  const file = readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes) ?? readGif(bytes) ?? readAvif(bytes);
  return file && file.width > 0 && file.height > 0 ? file : undefined;
}

/** Why a file cannot be stored as a picture; undefined if it can. */
export function findPictureProblem(bytes: Uint8Array, file = readPicture(bytes)): string | undefined {
  if (bytes.length > MAX_PICTURE_BYTES) return 'it is larger than 5 MB: make it smaller';
  if (!file) return 'it is not a complete PNG, JPEG, WebP, GIF or AVIF file: save it in one of these formats';
  if (Math.max(file.width, file.height) > MAX_PICTURE_SIDE)
    return `it is ${file.width} × ${file.height} pixels: make each side ${MAX_PICTURE_SIDE} pixels or less`;
  if (file.metadata.length > 0)
    return `it contains metadata, which can say who made it and where (${[...new Set(file.metadata)].slice(0, 5).join(', ')}): save it without`;
  return undefined;
}
