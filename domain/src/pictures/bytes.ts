/* Reads numbers and names from the bytes of a file. A file that is cut off reads as zeros, and the caller finds that it is. */

export function readUint16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}

export function readUint32(bytes: Uint8Array, at: number): number {
  return readUint16(bytes, at) * 0x10000 + readUint16(bytes, at + 2);
}

/** Little-endian, of 1 to 4 bytes. */
export function readLittle(bytes: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let index = length - 1; index >= 0; index--) value = value * 0x100 + (bytes[at + index] ?? 0);
  return value;
}

/** The bytes as Latin-1, for the names of chunks and boxes. */
export function readName(bytes: Uint8Array, at: number, length = 4): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}

export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
