import { createHmac } from 'node:crypto';
import { invalid } from '../errors.ts';
import { jsonInKeyOrder } from '../json-in-key-order.ts';
import type { HttpRequest } from './http-request.ts';

const printable = /^[\x20-\x7e]{1,255}$/;

/** A request with an `Idempotency-Key`, as it is stored: without anything that the client has sent. */
export interface KeyedRequest {
  secretId: string;
  keyHash: string;
  requestHash: string;
}

/** Undefined without the header. */
export function readIdempotencyKey({ headers }: Pick<HttpRequest, 'headers'>): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !printable.test(key))
    throw invalid('The header `Idempotency-Key` must have 1 to 255 printable ASCII characters');
  return key;
}

/**
 * The hashes are keyed with the account secret, and the database has only a hash of that: nobody who reads the database
 * can try emails until one fits.
 */
export function hashRequest(
  secret: { id: string; value: string },
  key: string,
  path: string,
  { account_secret: _, ...params }: Record<string, unknown>,
): KeyedRequest {
  const hash = (text: string) => createHmac('sha256', secret.value).update(text).digest('hex');
  const endpoint = path.replace('/:account_secret', '');
  return {
    secretId: secret.id,
    keyHash: hash(`key ${key}`),
    requestHash: hash(`request ${endpoint} ${jsonInKeyOrder(params)}`),
  };
}
