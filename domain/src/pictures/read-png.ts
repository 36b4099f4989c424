import { joinBytes, readName, readUint32 } from './bytes.ts';
import { FileParts, type PictureFile, TRAILING_BYTES } from './picture-file.ts';

const SIGNATURE = '\x89PNG\r\n\x1a\n';
/** The chunks that say how the picture looks. All others are metadata. */
const shown =
  /^(IHDR|PLTE|IDAT|IEND|tRNS|gAMA|cHRM|sRGB|iCCP|cICP|mDCV|mDCv|cLLI|cLLi|sBIT|bKGD|hIST|pHYs|sPLT|acTL|fcTL|fdAT)$/;

export function readPng(bytes: Uint8Array): PictureFile | undefined {
  if (readName(bytes, 0, 8) !== SIGNATURE || readName(bytes, 12) !== 'IHDR') return undefined;
  const parts = new FileParts();
  parts.add(bytes.subarray(0, 8));
  let isAnimated = false;
  let at = 8;
  for (let name = ''; name !== 'IEND'; ) {
    const end = at + 12 + readUint32(bytes, at);
    if (end > bytes.length) return undefined;
    name = readName(bytes, at + 4);
    isAnimated ||= name === 'acTL';
    parts.add(bytes.subarray(at, end), shown.test(name) ? undefined : name);
    at = end;
  }
  if (at < bytes.length) parts.metadata.push(TRAILING_BYTES);
  return {
    ...{ type: 'png', width: readUint32(bytes, 16), height: readUint32(bytes, 20), isAnimated },
    ...{ metadata: parts.metadata, withoutMetadata: joinBytes(parts.kept) },
  };
}
