import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';
const PREFIX = 'sealed';

/**
 * Encrypts stored values with which something could be forged. Each value has a random nonce and is bound to its place in
 * the database, so it cannot be moved to another row. There can be several keys while one replaces another: each sealed
 * value contains the fingerprint of its key.
 */
export class SecretBox {
  readonly keys: readonly Uint8Array[];
  readonly #byFingerprint: ReadonlyMap<string, Uint8Array>;

  constructor(keys: readonly Uint8Array[]) {
    this.keys = keys;
    this.#byFingerprint = new Map(keys.map((key) => [fingerprintOf(key), key]));
  }

  /** The fingerprint of every key, in the order of the keys. */
  get fingerprints(): string[] {
    return [...this.#byFingerprint.keys()];
  }

  seal(fingerprint: string, place: string, value: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key(fingerprint), nonce).setAAD(Buffer.from(place));
    const bytes = Buffer.concat([nonce, cipher.update(value), cipher.final(), cipher.getAuthTag()]);
    return `${PREFIX}.${fingerprint}.${bytes.toString('base64url')}`;
  }

  /** Throws for a value that was changed, moved, or sealed with an unknown key. */
  open(place: string, sealed: string): string {
    const [prefix, fingerprint = '', text = ''] = sealed.split('.');
    if (prefix !== PREFIX) throw new Error(`The secret at ${place} is not encrypted`);
    const bytes = Buffer.from(text, 'base64url');
    const decipher = createDecipheriv(CIPHER, this.#key(fingerprint), bytes.subarray(0, NONCE_BYTES));
    decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString();
  }

  #key(fingerprint: string): Uint8Array {
    const key = this.#byFingerprint.get(fingerprint);
    if (!key) throw new Error(`The master key ${fingerprint} is missing`);
    return key;
  }
}

export function isSealed(value: string): boolean {
  return value.startsWith(`${PREFIX}.`);
}

/** Identifies a key without revealing anything about it. */
function fingerprintOf(key: Uint8Array): string {
  return createHmac('sha256', key).update('fingerprint').digest('hex').slice(0, 16);
}

export function newKey(): string {
  return randomBytes(KEY_BYTES).toString('base64');
}
