import { describe, expect, it } from 'vitest';
import { avif, gif, join, jpeg, png, webp } from '../../test/pictures.ts';
import type { PictureFile } from './picture-file.ts';
import { findPictureProblem, MAX_PICTURE_BYTES, readPicture } from './read-picture.ts';

const plain: [PictureFile['type'], Uint8Array][] = [
  ['png', png(640, 360)],
  ['jpg', jpeg(640, 360)],
  ['webp', webp(640, 360)],
  ['gif', gif(640, 360)],
  ['avif', avif(640, 360)],
];

describe('a picture', () => {
  it.each(plain)('is known by its content: %s', (type, bytes) => {
    expect(readPicture(bytes)).toMatchObject({ type, width: 640, height: 360, metadata: [], isAnimated: false });
    expect(findPictureProblem(bytes)).toBeUndefined();
  });

  it('can be a WebP without a header of its own', () => {
    const lossy = join([0, 0, 0, 0x9d, 1, 0x2a, 0x80, 2, 0x68, 1]);
    const bytes = join('RIFF', [22, 0, 0, 0], 'WEBPVP8 ', [10, 0, 0, 0], lossy);
    expect(readPicture(bytes)).toMatchObject({ type: 'webp', width: 640, height: 360 });
  });

  it.each<[string, Uint8Array, string]>([
    ['PNG eXIf', png(2, 2, ['eXIf', 'MM\0*']), 'eXIf'],
    ['PNG tEXt', png(2, 2, ['tEXt', 'Author\0Ann']), 'tEXt'],
    ['PNG iTXt', png(2, 2, ['iTXt', 'XML:com.adobe.xmp']), 'iTXt'],
    ['PNG tIME', png(2, 2, ['tIME', '1234567']), 'tIME'],
    ['an unknown chunk of a PNG', png(2, 2, ['prIv', 'x']), 'prIv'],
    ['bytes after a PNG', join(png(2, 2), '<script>'), 'bytes after its end'],
    ['JPEG Exif', jpeg(2, 2, [0xe1, 'Exif\0\0MM']), 'APP1'],
    ['JPEG IPTC', jpeg(2, 2, [0xed, 'Photoshop 3.0']), 'APP13'],
    ['JPEG comment', jpeg(2, 2, [0xfe, 'by Ann']), 'COM'],
    ['JPEG with a second picture', jpeg(2, 2, [0xe2, 'MPF\0']), 'APP2'],
    ['bytes after a JPEG', join(jpeg(2, 2), 'PK\x03\x04'), 'bytes after its end'],
    ['WebP EXIF', webp(2, 2, ['EXIF', 'MM\0*']), 'EXIF'],
    ['WebP XMP', webp(2, 2, ['XMP ', '<x:xmpmeta>']), 'XMP '],
    ['bytes after a WebP', join(webp(2, 2), 'x'), 'bytes after its end'],
    ['GIF comment', gif(2, 2, [0x21, 0xfe, 3], 'Ann', [0]), 'comment'],
    ['GIF XMP', gif(2, 2, [0x21, 0xff, 11], 'XMP DataXMP', [1, 65, 0]), 'application XMP DataXMP'],
    ['bytes after a GIF', join(gif(2, 2), 'x'), 'bytes after its end'],
    ['AVIF Exif', avif(2, 2, 'Exif'), 'Exif'],
    ['AVIF XMP', avif(2, 2, 'mime'), 'mime'],
    ['a box of its own in an AVIF', join(avif(2, 2), [0, 0, 0, 9], 'uuidx'), 'uuid'],
  ])('is rejected with metadata, which can be removed: %s', (_, bytes, name) => {
    const file = readPicture(bytes);
    expect(file?.metadata).toEqual([name]);
    expect(findPictureProblem(bytes)).toContain(name);
    if (file?.type === 'avif') return expect(file.withoutMetadata).toBeUndefined();
    const cleaned = file?.withoutMetadata as Uint8Array;
    expect(readPicture(cleaned)).toMatchObject({ type: file?.type, width: 2, height: 2, metadata: [] });
  });

  it('keeps what says how it looks', () => {
    const loop = gif(2, 2, [0x21, 0xff, 11], 'NETSCAPE2.0', [3, 1, 0, 0, 0]);
    for (const bytes of [png(2, 2, ['iCCP', 'p'], ['gAMA', '1']), jpeg(2, 2, [0xe2, 'ICC_PROFILE\0']), loop])
      expect(findPictureProblem(bytes)).toBeUndefined();
  });

  it('clears the flags of what was removed from a WebP', () => {
    const cleaned = readPicture(webp(2, 2, ['EXIF', 'x']))?.withoutMetadata;
    expect(cleaned).toEqual(webp(2, 2));
  });

  it.each<[string, Uint8Array]>([
    ['SVG', join('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['HTML', join('<!doctype html><script>alert(1)</script>')],
    ['HEIC', join([0, 0, 0, 16], 'ftypheic', [0, 0, 0, 0])],
    ['the first bytes of a PNG before HTML', join([0x89], 'PNG\r\n\x1a\n', '<html><script>alert(1)</script>')],
    ['a PNG of no size', png(0, 5)],
    ['nothing', join('')],
  ])('is none of the formats: %s', (_, bytes) => {
    expect(readPicture(bytes)).toBeUndefined();
    expect(findPictureProblem(bytes)).toContain('PNG, JPEG, WebP, GIF or AVIF');
  });

  it('is rejected if it is cut off anywhere, and never throws', () => {
    for (const [, bytes] of plain)
      for (let length = 0; length < bytes.length; length++) {
        const part = readPicture(bytes.subarray(0, length));
        expect([length, part === undefined]).toEqual([length, true]);
      }
  });

  it('never takes long or throws for bytes that were changed', () => {
    for (const [, bytes] of plain)
      for (let at = 0; at < bytes.length; at++)
        for (const value of [0, 1, 0x7f, 0xff])
          readPicture(Uint8Array.from(bytes, (byte, i) => (i === at ? value : byte)));
  });

  it('is rejected if it is too large', () => {
    expect(findPictureProblem(png(9000, 1))).toContain('9000 × 1 pixels');
    expect(findPictureProblem(png(60_000, 60_000))).toContain('60000 × 60000 pixels');
    // Browsers enlarge a GIF to its frames.
    const small = gif(60_000, 60_000);
    small.set([1, 0, 1, 0], 6);
    expect(findPictureProblem(small)).toContain('60000 × 60000 pixels');
    expect(findPictureProblem(new Uint8Array(MAX_PICTURE_BYTES + 1))).toContain('5 MB');
  });

  it.each([
    ['a PNG with more in its header', withMore(png(7, 5), 11, 13)],
    ['a PNG without pixels', png(7, 5).filter((_, at) => at < 33 || at >= png(7, 5).length - 12)],
    ['an AVIF of boxes in boxes', nestedAvif(600)],
    [
      'a JPEG of empty tables',
      join([0xff, 0xd8], Array(30_000).fill([0xff, 0xdb, 0, 2]).flat(), jpeg(7, 5).subarray(2)),
    ],
    [
      'an AVIF of many brands',
      join([0, 1, 0x86, 0xb0], avif(7, 5).subarray(4, 16), 'mif1'.repeat(25_000), avif(7, 5).subarray(24)),
    ],
    ['an AVIF of many boxes in several', join(avif(7, 5), ...Array(3).fill(emptyBoxes(10_000)))],
    ['a GIF without an image', Uint8Array.from([...gif(7, 5).slice(0, 13), 0x3b])],
    [
      'a GIF of comments only',
      Uint8Array.from([...gif(7, 5).slice(0, 13), ...Array(30_000).fill([0x21, 0xfe, 0]).flat(), 0x3b]),
    ],
  ])('is none: %s', (_, bytes) => {
    expect(readPicture(bytes)).toBeUndefined();
  });

  it.each([
    ['JPEG, a text after the colors', jpeg(7, 5, [0xee, 'Adobe and where it was made']), 'APP14'],
    ['JPEG, a small copy', jpeg(7, 5, [0xe0, 'JFIF\0\x01\x01\0\0\x01\0\x01\x01\x01abc']), 'APP0'],
    ['JPEG, a marker without a meaning', jpeg(7, 5, [0xdf, 'Exif']), 'marker df'],
    ['PNG, more than a number in its gamma', png(7, 5, ['gAMA', 'Exif and where it was made']), 'gAMA'],
    ['PNG, more than the depths of its colors', png(7, 5, ['sBIT', 'MM\0*Exif']), 'sBIT'],
    ['PNG, a frame of no animation', png(7, 5, ['fdAT', '<x:xmpmeta>']), 'fdAT'],
    [
      'GIF, a text after the repetitions',
      gif(7, 5, [0x21, 0xff, 11], 'NETSCAPE2.0', [3, 1, 0, 0, 3], 'Ann', [0]),
      'application NETSCAPE2.0',
    ],
    [
      'GIF, a text instead of the repetitions',
      gif(7, 5, [0x21, 0xff, 11], 'NETSCAPE2.0', [5], 'Ann S', [0]),
      'application NETSCAPE2.0',
    ],
    ['WebP, a second picture', webp(7, 5, ['VP8 ', 'Exif']), 'VP8 '],
    ['WebP, transparency after the pixels', webp(7, 5, ['ALPH', 'Exif']), 'ALPH'],
    ['WebP, settings that are too long', webp(7, 5, ['ANIM', 'Exif and XMP']), 'ANIM'],
    ['WebP, anything in a file without a header', plainWebp('ICCP', 'Exif'), 'ICCP'],
    ['WebP, XMP in a frame of an animation', webp(7, 5, ['ANMF', `${'\0'.repeat(16)}XMP \x02\0\0\0Ab`]), 'XMP '],
    ['AVIF, a track of texts', join(avif(7, 5), track('mett')), 'mett'],
    ['AVIF, notes in a track', join(avif(7, 5), track('pict', 'udta')), 'udta'],
  ])('has metadata: %s', (_, bytes, name) => {
    expect(readPicture(bytes)?.metadata).toContain(name);
  });
});

/** A WebP of one chunk, and another one behind it. */
function plainWebp(name: string, data: string): Uint8Array {
  const pixels = join('VP8L', [5, 0, 0, 0, 0x2f, 6, 0, 1, 0, 0]);
  const chunks = join(pixels, name, [data.length, 0, 0, 0], data);
  return join('RIFF', [chunks.length + 4, 0, 0, 0], 'WEBP', chunks);
}

/** A track of an AVIF with frames, with another box beside its handler. */
function track(handler: string, beside = 'minf'): Uint8Array {
  const boxOf = (name: string, content: Uint8Array) => join([0, 0, 0, content.length + 8], name, content);
  const media = join(boxOf('hdlr', join([0, 0, 0, 0, 0, 0, 0, 0], handler)), boxOf(beside, join('')));
  return boxOf('moov', boxOf('trak', boxOf('mdia', media)));
}

/** Makes the header of a PNG longer by a byte. */
function withMore(bytes: Uint8Array, at: number, length: number): Uint8Array {
  const longer = [...bytes.slice(0, 29), 0, ...bytes.slice(29)];
  longer[at] = length + 1;
  return Uint8Array.from(longer);
}

function nestedAvif(depth: number): Uint8Array {
  const bytes = avif(7, 5);
  const boxes = Array.from({ length: depth }, (_, at) => {
    const size = 8 * (depth - at);
    return [size >>> 24, (size >>> 16) & 255, (size >>> 8) & 255, size & 255, 0x69, 0x70, 0x72, 0x70];
  });
  return Uint8Array.from([...bytes, ...boxes.flat()]);
}

/** A box with empty boxes in it. */
function emptyBoxes(count: number): Uint8Array {
  const size = 8 * (count + 1);
  return join(
    [0, size >>> 16, (size >>> 8) & 255, size & 255],
    'iprp',
    ...Array(count).fill([0, 0, 0, 8, 0x69, 0x70, 0x6d, 0x61]),
  );
}
