import { joinBytes, readLittle, readName } from './bytes.ts';
import { FileParts, MAX_CHUNKS, type PictureFile, TRAILING_BYTES } from './picture-file.ts';

const shown = /^(VP8 |VP8L|VP8X|ALPH|ANIM|ANMF|ICCP)$/;
const pixels = /^(VP8 |VP8L|ANMF)$/;
/** What a frame of an animation consists of. */
const shownInFrame = /^(VP8 |VP8L|ALPH)$/;
/** The length of the header and of the settings of an animation. Longer ones could hold anything. */
const lengths: Record<string, number> = { VP8X: 10, ANIM: 6 };
const HEADER = 12;
const FRAME_HEADER = 16;
/** In the flags of a file with further chunks. */
const ANIMATION = 0x02;
const METADATA = 0x08 | 0x04;

export function readWebp(bytes: Uint8Array): PictureFile | undefined {
  if (readName(bytes, 0) !== 'RIFF' || readName(bytes, 8) !== 'WEBP') return undefined;
  const end = 8 + readLittle(bytes, 4, 4);
  const chunks = listChunks(bytes, HEADER, end);
  const [first] = chunks ?? [];
  const size = first && sizeOf(bytes, first);
  if (!chunks || !first || !size || !chunks.some(({ name }) => pixels.test(name))) return undefined;
  const parts = new FileParts();
  let canRemove = true;
  const isExtended = first.name === 'VP8X';
  const seen = new Set<string>();
  for (const chunk of chunks) {
    const isShown = shown.test(chunk.name) && isExpected(bytes, chunk, seen) && (isExtended || chunk === first);
    parts.add(bytes.subarray(chunk.at, chunk.end), isShown ? undefined : chunk.name);
    if (chunk.name !== 'ANMF') continue;
    const inside = listChunks(bytes, chunk.at + 8 + FRAME_HEADER, chunk.end);
    const seenInside = new Set<string>();
    const hidden = inside
      ?.filter((one) => !shownInFrame.test(one.name) || !isExpected(bytes, one, seenInside))
      .map(({ name }) => name) ?? ['ANMF'];
    for (const name of new Set(hidden)) parts.metadata.push(name);
    canRemove &&= hidden.length === 0;
  }
  if (end < bytes.length) parts.metadata.push(TRAILING_BYTES);
  return {
    ...{ type: 'webp', ...size, isAnimated: isExtended && ((bytes[first.at + 8] ?? 0) & ANIMATION) !== 0 },
    ...{ metadata: parts.metadata, withoutMetadata: canRemove ? join(parts.kept, isExtended) : undefined },
  };
}

/**
 * Whether a chunk has its length, and is the only one of its kind, except for frames. Browsers do not look at a second one, nor at
 * transparency after the pixels.
 */
function isExpected(bytes: Uint8Array, { name, at }: Chunk, seen: Set<string>): boolean {
  const kind = name === 'VP8L' ? 'VP8 ' : name;
  const isSecond = kind !== 'ANMF' && (seen.has(kind) || (kind === 'ALPH' && seen.has('VP8 ')));
  seen.add(kind);
  return !isSecond && readLittle(bytes, at + 4, 4) === (lengths[name] ?? readLittle(bytes, at + 4, 4));
}

interface Chunk {
  name: string;
  at: number;
  end: number;
}

/** Undefined if the chunks do not fill the space. Each has an even length, but the last one may lack the byte that fills it up. */
function listChunks(bytes: Uint8Array, start: number, end: number): Chunk[] | undefined {
  if (end > bytes.length) return undefined;
  const chunks: Chunk[] = [];
  for (let at = start; at < end; ) {
    const length = readLittle(bytes, at + 4, 4);
    const next = Math.min(at + 8 + length + (length % 2), Math.max(end, at + 8 + length));
    if (next > end || chunks.length >= MAX_CHUNKS) return undefined;
    chunks.push({ name: readName(bytes, at), at, end: next });
    at = next;
  }
  return chunks;
}

function sizeOf(bytes: Uint8Array, { name, at }: Chunk): { width: number; height: number } | undefined {
  const data = at + 8;
  if (name === 'VP8X') return { width: readLittle(bytes, data + 4, 3) + 1, height: readLittle(bytes, data + 7, 3) + 1 };
  if (name === 'VP8L' && bytes[data] === 0x2f) {
    const bits = readLittle(bytes, data + 1, 4);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (name === 'VP8 ' && readName(bytes, data + 3, 3) === '\x9d\x01*')
    return { width: readLittle(bytes, data + 6, 2) & 0x3fff, height: readLittle(bytes, data + 8, 2) & 0x3fff };
  return undefined;
}

function join(chunks: readonly Uint8Array[], isExtended: boolean): Uint8Array<ArrayBuffer> {
  const joined = joinBytes([new Uint8Array(HEADER), ...chunks]);
  joined.set([...'RIFF'].map((letter) => letter.charCodeAt(0)));
  new DataView(joined.buffer).setUint32(4, joined.length - 8, true);
  joined.set(
    [...'WEBP'].map((letter) => letter.charCodeAt(0)),
    8,
  );
  if (isExtended) joined[HEADER + 8] = (joined[HEADER + 8] ?? 0) & ~METADATA;
  return joined;
}
