import { type PictureType, pictureTypes } from './picture-file.ts';

/*
 * The path of a picture names its account, a hash of its content, its size in pixels of the page, and whether it has a file with
 * twice as many pixels: `/media/<account>/<hash>-640x360@2x.webp`. So what is behind a path never changes, and neither a page nor the
 * server has to look anything up to reserve the place of the picture.
 */

export interface PicturePath {
  accountId: string;
  hash: string;
  width: number;
  height: number;
  /** 2 if there is also a file with twice as many pixels. */
  scale: 1 | 2;
  type: PictureType;
}

const types = Object.keys(pictureTypes).join('|');
/** As the source of a regular expression, for the schema of a parameter. */
export const PICTURE_PATH_PATTERN = `/media/[0-9a-f]{24}/[0-9a-f]{32}-[0-9]{1,4}x[0-9]{1,4}(?:@2x)?\\.(?:${types})`;
const path = new RegExp(`^/media/([0-9a-f]{24})/([0-9a-f]{32})-(\\d{1,4})x(\\d{1,4})(@2x)?\\.(${types})$`);

export function parsePicturePath(text: string): PicturePath | undefined {
  const [, accountId = '', hash = '', width, height, twice, type] = path.exec(text) ?? [];
  if (accountId === '') return undefined;
  return {
    ...{ accountId, hash, width: Number(width), height: Number(height) },
    ...{ scale: twice ? 2 : 1, type: type as PictureType },
  };
}

/** With `scale` 2 the path of the larger file, which is the path of the picture. */
export function formatPicturePath({ accountId, hash, width, height, scale, type }: PicturePath): string {
  return `/media/${accountId}/${hash}-${width}x${height}${scale === 2 ? '@2x' : ''}.${type}`;
}

/** The hashes of the pictures of an account that a text, such as the JSON of a document, refers to. */
export function listPictureHashes(text: string, accountId: string): string[] {
  const found = text.matchAll(new RegExp(`/media/${accountId}/([0-9a-f]{32})-`, 'g'));
  return [...new Set([...found].map(([, hash = '']) => hash))];
}

/** For how long a picture is kept that nothing refers to. */
export const UNUSED_PICTURE_DAYS = 30;
