import { createHmac } from 'node:crypto';
import { type Millis, SECRET_OVERLAP_MS } from '@usher/domain';

const PREFIX = 'whsec_';

interface Signing {
  id: string;
  secret_version: number;
  secret_rotated_at: Millis | null;
}

/** Made of the key of the account whenever it is needed, so that no table holds it. */
export function secretOf(visitKey: string, { id, secret_version }: Omit<Signing, 'secret_rotated_at'>): string {
  return PREFIX + createHmac('sha256', visitKey).update(`webhook ${id} ${secret_version}`).digest('base64');
}

/** Those that sign now, the newest first: for a while after a rotation the one before does too. */
export function secretsOf(visitKey: string, webhook: Signing, now: Millis): string[] {
  const { secret_version, secret_rotated_at } = webhook;
  const overlaps = secret_rotated_at !== null && now < secret_rotated_at + SECRET_OVERLAP_MS;
  const versions = overlaps ? [secret_version, secret_version - 1] : [secret_version];
  return versions.map((version) => secretOf(visitKey, { ...webhook, secret_version: version }));
}

/** What a receiver knows by that a request is ours: by our own header, or as Standard Webhooks has it. */
export function signatureHeaders(
  secrets: readonly string[],
  id: string,
  at: Millis,
  body: string,
): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000));
  const [newest = ''] = secrets;
  return {
    'x-usher-id': id,
    // Receivers compare this header as a whole, so it never holds a second signature.
    'x-usher-signature': signBody(newest, body),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => signMessage(secret, `${id}.${timestamp}.${body}`)).join(' '),
  };
}

/** With the secret as it is shown. */
function signBody(secret: string, body: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/** With the bytes that the secret stands for. */
function signMessage(secret: string, message: string): string {
  const key = Buffer.from(secret.replace(PREFIX, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(message).digest('base64')}`;
}
