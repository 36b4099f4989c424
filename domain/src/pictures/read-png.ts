import { joinBytes, readName, readUint32 } from './bytes.ts';
import { FileParts, MAX_CHUNKS, type PictureFile, TRAILING_BYTES } from './picture-file.ts';

const SIGNATURE = '\x89PNG\r\n\x1a\n';
/** The chunks that say how the picture looks. All others are metadata. */
const shown = /^(IHDR|PLTE|IDAT|IEND|tRNS|gAMA|cHRM|sRGB|iCCP|cICP|mDCV|mDCv|cLLI|cLLi|sBIT|bKGD|pHYs|acTL|fcTL|fdAT)$/;

/** The lengths of the chunks that have one. Longer ones could hold anything. */
const lengths: Record<string, number> = { IHDR: 13, IEND: 0 };
const maxLengths: Record<string, number> = {
  ...{
    PLTE: 768,
    tRNS: 256,
    gAMA: 4,
    cHRM: 32,
    sRGB: 1,
    cICP: 4,
    mDCV: 24,
    mDCv: 24,
    cLLI: 8,
    cLLi: 8,
    sBIT: 4,
    bKGD: 6,
  },
  ...{ pHYs: 9, acTL: 8, fcTL: 26 },
};
/** Browsers do not look at frames before the chunk that announces them. */
const frames = /^(fcTL|fdAT)$/;

export function readPng(bytes: Uint8Array): PictureFile | undefined {
  if (readName(bytes, 0, 8) !== SIGNATURE || readName(bytes, 12) !== 'IHDR') return undefined;
  const parts = new FileParts();
  parts.add(bytes.subarray(0, 8));
  let isAnimated = false;
  let hasPixels = false;
  let chunks = 0;
  let at = 8;
  for (let name = ''; name !== 'IEND'; ) {
    const end = at + 12 + readUint32(bytes, at);
    if (end > bytes.length) return undefined;
    name = readName(bytes, at + 4);
    isAnimated ||= name === 'acTL';
    hasPixels ||= name === 'IDAT';
    if (++chunks > MAX_CHUNKS) return undefined;
    const length = lengths[name];
    if (length !== undefined && end - at - 12 !== length) return undefined;
    const isShown =
      shown.test(name) && end - at - 12 <= (maxLengths[name] ?? Infinity) && (isAnimated || !frames.test(name));
    parts.add(bytes.subarray(at, end), isShown ? undefined : name);
    at = end;
  }
  if (!hasPixels) return undefined;
  if (at < bytes.length) parts.metadata.push(TRAILING_BYTES);
  return {
    ...{ type: 'png', width: readUint32(bytes, 16), height: readUint32(bytes, 20), isAnimated },
    ...{ metadata: parts.metadata, withoutMetadata: joinBytes(parts.kept) },
  };
}
