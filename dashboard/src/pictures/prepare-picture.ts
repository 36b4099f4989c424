import { MAX_PICTURE_BYTES, type PictureFile, pictureTypes, readPicture } from '@usher/domain/pictures';

/** A file that cannot become a picture of an Experience. */
export class PictureProblem extends Error {
  readonly reason: 'notAPicture' | 'tooLarge';

  constructor(reason: PictureProblem['reason']) {
    super(reason);
    this.reason = reason;
  }
}

/** The longest side in pixels of the page: as wide as the widest Experience. */
const MAX_SIDE = 960;
const QUALITY = 0.86;

/**
 * Makes the files to upload: the picture, and a second one with twice as many pixels if it is large enough. Both are without metadata,
 * such as where a photo was taken.
 */
export async function preparePicture(file: File): Promise<File[]> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const picture = readPicture(bytes);
  if (!picture) throw new PictureProblem('notAPicture');
  const made = await makeFiles(bytes, picture);
  if (made.some(({ length }) => length > MAX_PICTURE_BYTES)) throw new PictureProblem('tooLarge');
  return made.map((content) => new File([content], file.name));
}

async function makeFiles(bytes: Uint8Array<ArrayBuffer>, picture: PictureFile): Promise<Uint8Array<ArrayBuffer>[]> {
  const longest = Math.max(picture.width, picture.height);
  const clean = picture.metadata.length === 0 ? bytes : picture.withoutMetadata;
  // Drawing it would keep one frame of an animation.
  if (picture.isAnimated) return [clean ?? bytes];
  // The metadata of a JPEG can say that it lies on its side, so it is drawn to turn it.
  const mayKeep = picture.type !== 'jpg' || picture.metadata.length === 0;
  if (longest <= MAX_SIDE && clean && mayKeep) return [clean];
  const bitmap = await createImageBitmap(new Blob([bytes], { type: pictureTypes[picture.type] })).catch(() => {
    throw new PictureProblem('notAPicture');
  });
  try {
    const scale = longest <= MAX_SIDE ? 1 : Math.min(MAX_SIDE / longest, 0.5);
    const size = { width: Math.round(bitmap.width * scale), height: Math.round(bitmap.height * scale) };
    const sizes = scale === 1 ? [size] : [size, { width: 2 * size.width, height: 2 * size.height }];
    return await drawAll(bitmap, sizes, picture.type);
  } finally {
    bitmap.close();
  }
}

interface Size {
  width: number;
  height: number;
}

/** A large PNG of a photo becomes a WebP. Both sizes have the same format. */
async function drawAll(bitmap: ImageBitmap, sizes: readonly Size[], type: PictureFile['type']) {
  const draw = (format: string) => Promise.all(sizes.map((size) => drawOne(bitmap, size, format)));
  const files = await draw(
    type === 'png' || type === 'gif' ? 'image/png' : type === 'jpg' ? 'image/jpeg' : 'image/webp',
  );
  return files.some(({ length }) => length > MAX_PICTURE_BYTES) ? draw('image/webp') : files;
}

async function drawOne(bitmap: ImageBitmap, { width, height }: Size, format: string): Promise<Uint8Array<ArrayBuffer>> {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d');
  if (!context) throw new PictureProblem('notAPicture');
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, width, height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, format, QUALITY));
  if (!blob) throw new PictureProblem('tooLarge');
  const bytes = new Uint8Array(await blob.arrayBuffer());
  // Some browsers write metadata of their own.
  return readPicture(bytes)?.withoutMetadata ?? bytes;
}
