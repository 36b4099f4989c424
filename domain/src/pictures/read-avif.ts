import { readName, readUint16, readUint32 } from './bytes.ts';
import { MAX_CHUNKS, type PictureFile } from './picture-file.ts';

interface Box {
  name: string;
  /** Where its content begins. */
  start: number;
  end: number;
}

/** The boxes of a picture, by the box that they are in. All others are metadata. */
const shown: Record<string, RegExp> = {
  '': /^(ftyp|meta|mdat|moov)$/,
  meta: /^(hdlr|pitm|iloc|iinf|iprp|iref|idat|grpl|dinf)$/,
  moov: /^(mvhd|trak|mvex)$/,
  trak: /^(tkhd|mdia|edts|tref)$/,
  mdia: /^(mdhd|hdlr|minf|elng)$/,
  minf: /^(vmhd|dinf|stbl)$/,
  stbl: /^(stsd|stts|ctts|cslg|stss|stsz|stsc|stco|co64|sdtp|sgpd|sbgp)$/,
  iinf: /^infe$/,
  iprp: /^(ipco|ipma)$/,
  ipco: /^(ispe|pixi|av1C|colr|irot|imir|clap|pasp|auxC|a1op|a1lx|lsel|clli|mdcv|cclv|amve)$/,
};
/** Boxes that consist of boxes only. */
const within = ['iprp', 'ipco', 'moov', 'trak', 'mdia', 'minf', 'stbl'];
/** A track of anything else, such as texts with times, is no part of the picture. */
const shownTracks = /^(pict|auxv|vide)$/;
/** Boxes within boxes. A picture has no more. */
const MAX_DEPTH = 8;
/** The names of about 100 formats. A picture has fewer than ten. */
const MAX_BRAND_BYTES = 400;
/** The items that are pictures, or say how to put pictures together. */
const shownItems = /^(av01|grid|iovl|tmap)$/;

/** An AVIF cannot be changed without writing all places in it again, so its metadata is only found. */
export function readAvif(bytes: Uint8Array): PictureFile | undefined {
  const count = { boxes: 0 };
  const list = (start: number, end: number) => listBoxes(bytes, start, end, count);
  const top = list(0, bytes.length);
  const [first] = top ?? [];
  if (!top || first?.name !== 'ftyp' || first.end - first.start > MAX_BRAND_BYTES) return undefined;
  const brands = listBrands(bytes, first);
  if (!brands.includes('avif') && !brands.includes('avis')) return undefined;
  const metadata: string[] = [];
  const sizes: { width: number; height: number }[] = [];
  let isTurned = false;
  let hasPixels = false;

  const visit = (boxes: Box[] | undefined, parent: string, depth = 0): boolean => {
    if (!boxes || depth > MAX_DEPTH) return false;
    return boxes.every(({ name, start, end }) => {
      const allowed = shown[parent];
      if (allowed && !allowed.test(name)) metadata.push(name);
      if (name === 'meta') return visit(list(start + 4, end), name, depth + 1);
      if (within.includes(name)) return visit(list(start, end), name, depth + 1);
      // The version decides how long the number of items is.
      if (name === 'iinf') return visit(list(start + (bytes[start] === 0 ? 6 : 8), end), name, depth + 1);
      if (name === 'infe') {
        const version = bytes[start] ?? 0;
        const item = version < 2 ? 'item' : readName(bytes, start + (version === 2 ? 8 : 10));
        if (!shownItems.test(item)) metadata.push(item);
      }
      const handler = name === 'hdlr' && readName(bytes, start + 8);
      if (handler && !shownTracks.test(handler)) metadata.push(handler);
      if (name === 'ispe') sizes.push({ width: readUint32(bytes, start + 4), height: readUint32(bytes, start + 8) });
      if (name === 'mdat' || name === 'idat') hasPixels = true;
      if (name === 'irot') isTurned ||= ((bytes[start] ?? 0) & 1) === 1;
      return true;
    });
  };
  if (!visit(top, '')) return undefined;
  const largest = sizes.sort((a, b) => b.width * b.height - a.width * a.height)[0];
  if (!largest || !hasPixels) return undefined;
  const size = isTurned ? { width: largest.height, height: largest.width } : largest;
  const isAnimated = brands.includes('avis');
  return { type: 'avif', ...size, isAnimated, metadata, withoutMetadata: undefined };
}

function listBrands(bytes: Uint8Array, { start, end }: Box): string[] {
  const brands = [readName(bytes, start)];
  for (let at = start + 8; at + 4 <= end; at += 4) brands.push(readName(bytes, at));
  return brands;
}

/** Undefined if the boxes do not fill the space, or the file has too many. */
function listBoxes(bytes: Uint8Array, from: number, to: number, count: { boxes: number }): Box[] | undefined {
  const boxes: Box[] = [];
  for (let at = from; at < to; ) {
    const short = readUint32(bytes, at);
    // 1 means that the length has 8 bytes, 0 that the box is the last one.
    const isLong = short === 1;
    const length = isLong ? readUint32(bytes, at + 12) : short === 0 ? to - at : short;
    const isTooLong = isLong && (readUint16(bytes, at + 8) !== 0 || readUint16(bytes, at + 10) !== 0);
    const header = isLong ? 16 : 8;
    if (isTooLong || length < header || at + length > to || ++count.boxes > MAX_CHUNKS) return undefined;
    boxes.push({ name: readName(bytes, at + 4), start: at + header, end: at + length });
    at += length;
  }
  return boxes;
}
