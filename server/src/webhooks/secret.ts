import { createHmac } from 'node:crypto';
import { type Millis, SECRET_OVERLAP_MS } from '@usher/domain';

const PREFIX = 'whsec_';

interface SigningWebhook {
  id: string;
  secret_version: number;
  secret_rotated_at: Millis | null;
}

/** Derives the secret from the key of the account each time, so that no table stores it. */
export function secretOf(visitKey: string, { id, secret_version }: Omit<SigningWebhook, 'secret_rotated_at'>): string {
  return PREFIX + createHmac('sha256', visitKey).update(`webhook ${id} ${secret_version}`).digest('base64');
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
): Record<string, string> {
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
