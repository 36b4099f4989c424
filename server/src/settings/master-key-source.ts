/** Where the master key comes from. */
export interface MasterKeySource {
  /** The keys, if the operator has set them. */
  keys: readonly Uint8Array[] | undefined;
  /** If no key is set, this file has the keys, one on each line. It is created if nothing is encrypted yet. */
  file: string;
}

/** Accepts hex, and base64 of both alphabets with or without padding. */
export function readKey(text: string): Uint8Array | undefined {
  const word = text.trim();
  if (/^[\da-f]{64}$/i.test(word)) return Buffer.from(word, 'hex');
  if (!/^[\w+/-]{43}=?$/.test(word)) return undefined;
  return Buffer.from(word, 'base64');
}
