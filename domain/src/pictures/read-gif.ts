import { joinBytes, readLittle, readName } from './bytes.ts';
import { FileParts, MAX_CHUNKS, type PictureFile, TRAILING_BYTES } from './picture-file.ts';

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const END = 0x3b;
const GRAPHIC_CONTROL = 0xf9;
const COMMENT = 0xfe;
const APPLICATION = 0xff;
/** They say how often an animation repeats. */
const loops = ['NETSCAPE2.0', 'ANIMEXTS1.0'];

export function readGif(bytes: Uint8Array): PictureFile | undefined {
  if (!/^GIF8[79]a$/.test(readName(bytes, 0, 6))) return undefined;
  const parts = new FileParts();
  let [width, height] = [readLittle(bytes, 6, 2), readLittle(bytes, 8, 2)];
  let images = 0;
  let blocks = 0;
  let at = 13 + colorTableLength(bytes[10] ?? 0);
  parts.add(bytes.subarray(0, at));
  while (bytes[at] !== END) {
    const end = endOfBlock(bytes, at);
    if (end === undefined || ++blocks > MAX_CHUNKS) return undefined;
    if (bytes[at] === IMAGE) {
      images += 1;
      // Browsers enlarge the picture to a frame that does not fit.
      width = Math.max(width, readLittle(bytes, at + 1, 2) + readLittle(bytes, at + 5, 2));
      height = Math.max(height, readLittle(bytes, at + 3, 2) + readLittle(bytes, at + 7, 2));
    }
    parts.add(bytes.subarray(at, end), bytes[at] === EXTENSION ? nameOfMetadata(bytes, at) : undefined);
    at = end;
  }
  if (images === 0) return undefined;
  parts.add(bytes.subarray(at, at + 1));
  if (at + 1 < bytes.length) parts.metadata.push(TRAILING_BYTES);
  return {
    ...{ type: 'gif', width, height, isAnimated: images > 1 },
    ...{ metadata: parts.metadata, withoutMetadata: joinBytes(parts.kept) },
  };
}

function colorTableLength(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

/** Undefined if the file is cut off, or the block is none of a GIF. */
function endOfBlock(bytes: Uint8Array, at: number): number | undefined {
  if (bytes[at] === EXTENSION) return endOfData(bytes, at + 2);
  // The place and size of the image, its colors, and one byte about the compression.
  if (bytes[at] === IMAGE) return endOfData(bytes, at + 11 + colorTableLength(bytes[at + 9] ?? 0));
  return undefined;
}

/** Data is in pieces with their length before them. A piece of the length 0 ends it. */
function endOfData(bytes: Uint8Array, start: number): number | undefined {
  for (let at = start; at < bytes.length; ) {
    const length = bytes[at] ?? 0;
    at += 1 + length;
    if (length === 0) return at;
  }
  return undefined;
}

function nameOfMetadata(bytes: Uint8Array, at: number): string | undefined {
  const label = bytes[at + 1] ?? 0;
  // Four bytes of data, and nothing after them.
  if (label === GRAPHIC_CONTROL) return bytes[at + 2] === 4 && bytes[at + 7] === 0 ? undefined : 'graphic control';
  if (label === COMMENT) return 'comment';
  if (label !== APPLICATION) return `extension ${label.toString(16)}`;
  const owner = readName(bytes, at + 3, 11);
  // Three bytes of data, and nothing after them.
  const isLoop = bytes[at + 2] === 11 && loops.includes(owner) && bytes[at + 14] === 3 && bytes[at + 18] === 0;
  return isLoop ? undefined : `application ${owner.replace(/[^ -~]/g, '?')}`;
}
