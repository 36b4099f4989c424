import { joinBytes } from '../src/pictures/bytes.ts';

/* Makes small pictures for tests, with the parts that a test names. Their pixels are missing: nothing here decodes them. */

const ascii = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
export const join = (...parts: (string | number[] | Uint8Array)[]) =>
  joinBytes(parts.map((part) => (typeof part === 'string' ? ascii(part) : Uint8Array.from(part))));
const big = (value: number, length: number) =>
  Array.from({ length }, (_, index) => Math.floor(value / 256 ** (length - 1 - index)) % 256);
const little = (value: number, length: number) => big(value, length).reverse();

const pngChunk = (name: string, data: Uint8Array) => join(big(data.length, 4), name, data, [0, 0, 0, 0]);
export function png(width: number, height: number, ...extra: [name: string, data: string][]): Uint8Array {
  return join(
    [0x89],
    'PNG\r\n\x1a\n',
    pngChunk('IHDR', join(big(width, 4), big(height, 4), [8, 6, 0, 0, 0])),
    ...extra.map(([name, data]) => pngChunk(name, ascii(data))),
    pngChunk('IDAT', ascii(`pixels of ${width}`)),
    pngChunk('IEND', ascii('')),
  );
}

const segment = (marker: number, data: Uint8Array) => join([0xff, marker], big(data.length + 2, 2), data);
export function jpeg(width: number, height: number, ...extra: [marker: number, data: string][]): Uint8Array {
  return join(
    [0xff, 0xd8],
    segment(0xe0, ascii('JFIF\0\x01\x01\0\0\x01\0\x01\0\0')),
    ...extra.map(([marker, data]) => segment(marker, ascii(data))),
    segment(0xc0, join([8], big(height, 2), big(width, 2), [1, 1, 0x11, 0])),
    segment(0xda, join([1, 1, 0, 0, 63, 0])),
    [1, 2, 0xff, 0, 3, 0xff, 0xd0, 4, width % 200],
    [0xff, 0xd9],
  );
}

const riffChunk = (name: string, data: Uint8Array) =>
  join(name, little(data.length, 4), data, data.length % 2 === 1 ? [0] : []);
export function webp(width: number, height: number, ...extra: [name: string, data: string][]): Uint8Array {
  const chunks = join(
    riffChunk('VP8X', join([extra.length > 0 ? 0x0c : 0, 0, 0, 0], little(width - 1, 3), little(height - 1, 3))),
    riffChunk('VP8L', join([0x2f], little((height - 1) * 2 ** 14 + width - 1, 4))),
    ...extra.map(([name, data]) => riffChunk(name, ascii(data))),
  );
  return join('RIFF', little(chunks.length + 4, 4), 'WEBP', chunks);
}

export function gif(width: number, height: number, ...extra: (string | number[])[]): Uint8Array {
  const image = join([0x2c, 0, 0, 0, 0], little(width, 2), little(height, 2), [0, 2, 2, 0x44, 1, 0]);
  return join('GIF89a', little(width, 2), little(height, 2), [0, 0, 0], ...extra, image, [0x3b]);
}

const box = (name: string, ...content: (string | number[] | Uint8Array)[]) => {
  const data = join(...content);
  return join(big(data.length + 8, 4), name, data);
};
export function avif(width: number, height: number, ...items: string[]): Uint8Array {
  const infos = ['av01', ...items].map((item, id) => box('infe', [2, 0, 0, 0], big(id + 1, 2), [0, 0], item, [0]));
  const size = box('ispe', [0, 0, 0, 0], big(width, 4), big(height, 4));
  return join(
    box('ftyp', 'avif', [0, 0, 0, 0], 'avifmif1'),
    box(
      'meta',
      [0, 0, 0, 0],
      box('iinf', [0, 0, 0, 0], big(infos.length, 2), ...infos),
      box('iprp', box('ipco', size)),
    ),
    box('mdat', 'pixels'),
  );
}
