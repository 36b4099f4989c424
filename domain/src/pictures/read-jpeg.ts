import { joinBytes, readName, readUint16 } from './bytes.ts';
import { FileParts, MAX_CHUNKS, type PictureFile, TRAILING_BYTES } from './picture-file.ts';

const END = 0xd9;
const START_OF_SCAN = 0xda;

export function readJpeg(bytes: Uint8Array): PictureFile | undefined {
  if (readUint16(bytes, 0) !== 0xffd8) return undefined;
  const parts = new FileParts();
  parts.add(bytes.subarray(0, 2));
  let size: { width: number; height: number } | undefined;
  let segments = 0;
  let at = 2;
  for (;;) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    // Any number of these may stand before a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === END) break;
    const length = readUint16(bytes, at + 2);
    const end = marker === START_OF_SCAN ? endOfScan(bytes, at + 2 + length) : at + 2 + length;
    if (length < 2 || end > bytes.length || ++segments > MAX_CHUNKS) return undefined;
    if (isFrame(marker)) size ??= { height: readUint16(bytes, at + 5), width: readUint16(bytes, at + 7) };
    parts.add(bytes.subarray(at, end), nameOfMetadata(bytes, at, marker));
    at = end;
  }
  parts.add(bytes.subarray(at, at + 2));
  if (at + 2 < bytes.length) parts.metadata.push(TRAILING_BYTES);
  if (!size) return undefined;
  return {
    ...{ type: 'jpg', ...size, isAnimated: false },
    ...{ metadata: parts.metadata, withoutMetadata: joinBytes(parts.kept) },
  };
}

/** The picture itself follows the start of a scan. In it, 0xff is followed by 0 or a restart marker. */
function endOfScan(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && !(next >= 0xd0 && next <= 0xd7) && next !== 0xff) return at;
  }
  return bytes.length + 1;
}

/** The markers SOF0 to SOF15. Three numbers among them are tables. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** A segment of an application is needed only if it says what the colors mean. */
function nameOfMetadata(bytes: Uint8Array, at: number, marker: number): string | undefined {
  if (marker === 0xfe) return 'COM';
  if (marker < 0xe0 || marker > 0xef) return isPartOfPicture(marker) ? undefined : `marker ${marker.toString(16)}`;
  const owner = readName(bytes, at + 4, 11);
  // Without a small copy, which may show what was cut off: its width and height are the last two bytes.
  const isPlain = readUint16(bytes, at + 2) === 16 && readUint16(bytes, at + 16) === 0;
  if (marker === 0xe0 && owner.startsWith('JFIF\0') && isPlain) return undefined;
  if (marker === 0xe2 && owner === 'ICC_PROFILE') return undefined;
  if (marker === 0xee && owner.startsWith('Adobe') && readUint16(bytes, at + 2) === 14) return undefined;
  return `APP${marker - 0xe0}`;
}

/** Frames, tables, scans and restart intervals. */
function isPartOfPicture(marker: number): boolean {
  return isFrame(marker) || [0xc4, 0xcc, 0xda, 0xdb, 0xdd].includes(marker);
}
