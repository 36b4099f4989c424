import type { Webhooks } from './api.ts';
import { fromBase64, fromHex, hmacKey, toBytes } from './hmac.ts';

/** What a webhook receives: `kind` says what `data` is. */
export type WebhookPayload = Webhooks[keyof Webhooks];

type HeadersOfRequest = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** How old a request may be, in seconds. The default is 300. */
  tolerance?: number;
  /** The present time, in seconds. */
  now?: number;
  /**
   * Whether a request without the headers of Standard Webhooks is accepted by its `X-Usher-Signature` alone, which does not sign the
   * time: someone who has recorded a request could send it again. Keep the IDs that you have handled then.
   */
  acceptUntimed?: boolean;
}

/** Whether a request is from the service: `body` must be the raw bytes or text, before parsing. Give several secrets after a rotation. */
export async function verifyWebhook(
  secret: string | readonly string[],
  headers: HeadersOfRequest,
  body: string | Uint8Array,
  { tolerance = 300, now = Date.now() / 1000, acceptUntimed = false }: VerifyOptions = {},
): Promise<boolean> {
  const secrets = [secret].flat();
  if (secrets.length === 0 || secrets.includes('')) throw new TypeError('`secret` is missing');
  const read = (name: string) => headerOf(headers, name);
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(read);
  if (id === undefined || timestamp === undefined || signatures === undefined) {
    const signature = fromHex(read('x-usher-signature') ?? '');
    return acceptUntimed && signature !== undefined && isSigned(secrets, toBytes, [signature], toBytes(body));
  }
  if (!/^\d+$/.test(timestamp) || Math.abs(now - Number(timestamp)) > tolerance) return false;
  const given = signatures.split(' ').flatMap((one) => (one.startsWith('v1,') ? (fromBase64(one.slice(3)) ?? []) : []));
  const start = toBytes(`${id}.${timestamp}.`);
  const content = toBytes(body);
  const signed = new Uint8Array(start.length + content.length);
  signed.set(start);
  signed.set(content, start.length);
  return isSigned(secrets, keyOf, given, signed);
}

/** Verifies a request and parses it. Throws if it is not from the service. */
export async function readWebhook(
  secret: string | readonly string[],
  headers: HeadersOfRequest,
  body: string | Uint8Array,
  options?: VerifyOptions,
): Promise<WebhookPayload> {
  if (!(await verifyWebhook(secret, headers, body, options)))
    throw new Error('The signature of the request is not valid');
  return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
}

/** `verify` of WebCrypto compares in constant time. */
async function isSigned(
  secrets: readonly string[],
  toKey: (secret: string) => Uint8Array<ArrayBuffer> | undefined,
  signatures: readonly Uint8Array<ArrayBuffer>[],
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  for (const secret of secrets) {
    const bytes = toKey(secret);
    if (!bytes || bytes.length === 0) continue;
    const key = await hmacKey(bytes, 'verify');
    for (const signature of signatures) if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true;
  }
  return false;
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> | undefined {
  return fromBase64(secret.replace(/^whsec_/, ''));
}

function headerOf(headers: HeadersOfRequest, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return typeof value === 'object' ? value[0] : value;
}
