import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { type Millis, SECRET_OVERLAP_MS } from '@usher/domain';

const PREFIX = 'whsec_';

interface SigningWebhook {
  id: string;
  secret_version: number;
  own_secret: string | null;
  secret_rotated_at: Millis | null;
}

/**
 * Derives the secret from the key of the account each time, so that no table stores it. Only a secret that came from another service is
 * stored, encrypted with that key, until it is rotated.
 */
export function secretOf(visitKey: string, webhook: Omit<SigningWebhook, 'secret_rotated_at'>): string {
  const { id, secret_version, own_secret } = webhook;
  const own = secret_version === 1 && own_secret !== null ? openOwnSecret(visitKey, id, own_secret) : undefined;
  if (own !== undefined) return own;
  return PREFIX + createHmac('sha256', visitKey).update(`webhook ${id} ${secret_version}`).digest('base64');
}

const TAG_BYTES = 16;
const NONCE_BYTES = 12;

function ownKey(visitKey: string, id: string): Buffer {
  return createHmac('sha256', visitKey).update(`own webhook secret ${id}`).digest();
}

/** Encrypts a secret that came from another service. */
export function sealOwnSecret(visitKey: string, id: string, secret: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', ownKey(visitKey, id), nonce);
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

/** Returns undefined if the key of the account was replaced since. */
function openOwnSecret(visitKey: string, id: string, stored: string): string | undefined {
  const bytes = Buffer.from(stored, 'base64');
  const end = NONCE_BYTES + TAG_BYTES;
  try {
    const decipher = createDecipheriv('aes-256-gcm', ownKey(visitKey, id), bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, end));
    return Buffer.concat([decipher.update(bytes.subarray(end)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

/** Lists the secrets that sign now, newest first. For a while after a rotation, the previous one signs too. */
export function activeSecrets(visitKey: string, webhook: SigningWebhook, now: Millis): string[] {
  const { secret_version, secret_rotated_at } = webhook;
  const overlaps = secret_rotated_at !== null && now < secret_rotated_at + SECRET_OVERLAP_MS;
  const versions = overlaps ? [secret_version, secret_version - 1] : [secret_version];
  return versions.map((version) => secretOf(visitKey, { ...webhook, secret_version: version }));
}

/** A receiver verifies a request by our own header, or by those of Standard Webhooks. */
export function signatureHeaders(
  secrets: readonly string[],
  id: string,
  at: Millis,
  body: string,
): { 'x-usher-id': string; 'x-usher-signature': string; [name: string]: string } {
  const timestamp = String(Math.floor(at / 1000));
  const [newest = ''] = secrets;
  return {
    'x-usher-id': id,
    // Receivers compare this header as a whole, so it has only one signature.
    'x-usher-signature': signBody(newest, body),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => signMessage(secret, `${id}.${timestamp}.${body}`)).join(' '),
  };
}

/** The key is the secret as it is shown. */
function signBody(secret: string, body: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/** The key is the decoded bytes of the secret. */
function signMessage(secret: string, message: string): string {
  const key = Buffer.from(secret.replace(PREFIX, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(message).digest('base64')}`;
}
