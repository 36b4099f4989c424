import { createHash, createHmac } from 'node:crypto';

export interface S3Keys {
  region: string;
  accessKey: string;
  secretKey: string;
}

interface UnsignedRequest {
  method: string;
  url: URL;
  headers?: Record<string, string>;
  body: Uint8Array | string;
}

/**
 * Signs a request with AWS Signature Version 4, and returns all of its headers. The hash of the body is signed too, so the
 * server rejects a body that was changed or cut off on the way.
 */
export function signRequest(
  { method, url, headers = {}, body }: UnsignedRequest,
  { region, accessKey, secretKey }: S3Keys,
  now: Date,
): Record<string, string> {
  const time = `${now.toISOString().replace(/[-:]|\.\d+/g, '')}`;
  const day = time.slice(0, 8);
  const signed: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-content-sha256': sha256(body),
    'x-amz-date': time,
  };
  const names = Object.keys(signed)
    .map((name) => name.toLowerCase())
    .sort();
  const values = Object.fromEntries(Object.entries(signed).map(([name, value]) => [name.toLowerCase(), value]));
  const canonical = [
    method,
    url.pathname,
    canonicalQuery(url),
    ...names.map((name) => `${name}:${values[name]?.trim().replace(/ +/g, ' ')}`),
    '',
    names.join(';'),
    values['x-amz-content-sha256'],
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<Uint8Array | string>(hmac, `AWS4${secretKey}`);
  const signature = createHmac('sha256', key).update(toSign).digest('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKey}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`;
  return { ...signed, authorization };
}

/** Encodes everything but the characters that the signature leaves as they are. */
export function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

function canonicalQuery(url: URL): string {
  return [...url.searchParams]
    .map(([name, value]) => `${encodeStrictly(name)}=${encodeStrictly(value)}`)
    .sort()
    .join('&');
}

function sha256(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}

function hmac(key: Uint8Array | string, text: string): Uint8Array {
  return createHmac('sha256', key).update(text).digest();
}
