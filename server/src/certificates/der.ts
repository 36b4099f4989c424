/** The parts of DER, the encoding of ASN.1, that a request for a certificate consists of. */

const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_IDENTIFIER = 0x06;
const SEQUENCE = 0x30;
const SET = 0x31;

/** One value: its tag, the length of its content, and the content. */
export function encodeValue(tag: number, ...content: Buffer[]): Buffer {
  const bytes = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), encodeLength(bytes.length), bytes]);
}

export const sequence = (...content: Buffer[]) => encodeValue(SEQUENCE, ...content);
export const setOf = (...content: Buffer[]) => encodeValue(SET, ...content);
export const octetString = (content: Buffer) => encodeValue(OCTET_STRING, content);
/** The first byte says that no bits of the last one are unused. */
export const bitString = (content: Buffer) => encodeValue(BIT_STRING, Buffer.from([0]), content);
export const zero = encodeValue(INTEGER, Buffer.from([0]));

/** Encodes an identifier such as `2.5.29.17`: the first two numbers share a byte, and each other one has 7 bits in a byte. */
export function objectIdentifier(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  return encodeValue(OBJECT_IDENTIFIER, Buffer.from([first * 40 + second, ...rest.flatMap(toBase128)]));
}

function toBase128(number: number): number[] {
  const bytes = [number & 0x7f];
  for (let left = number >>> 7; left > 0; left >>>= 7) bytes.unshift((left & 0x7f) | 0x80);
  return bytes;
}

/** Up to 127 the length is one byte. Otherwise the first byte says how many bytes the length has. */
function encodeLength(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let left = length; left > 0; left >>>= 8) bytes.unshift(left & 0xff);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}
