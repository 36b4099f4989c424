import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** A server with one bucket that speaks as much of S3 as backups need, and checks every signature. */
export interface S3Server {
  endpoint: string;
  keys: { USHER_S3_ENDPOINT: string; USHER_S3_ACCESS_KEY: string; USHER_S3_SECRET_KEY: string };
  /** The content by its key. */
  objects: Map<string, Buffer>;
  /** The uploads in parts that were neither completed nor aborted. */
  uploads: Map<string, Map<number, Buffer>>;
  /** The method and path of every request with a right signature. */
  requests: string[];
  /** Returns a body that replaces the right answer, or undefined. */
  answerWith: (request: IncomingMessage) => string | undefined;
  /** Returns the status to fail with, or undefined. */
  failWith: (request: IncomingMessage) => number | undefined;
  stop(): Promise<void>;
}

const ACCESS_KEY = 'the-access-key';
const SECRET_KEY = 'the-secret-key-of-the-storage';
export const BUCKET = 'backups';

export async function startS3(): Promise<S3Server> {
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const url = new URL(request.url ?? '', 'http://s3.test');
    const status = s3.failWith(request) ?? (isSigned(request, url, body) ? undefined : 403);
    if (status !== undefined) {
      response
        .writeHead(status)
        .end(`<Error><Code>${status === 403 ? 'SignatureDoesNotMatch' : 'Broken'}</Code></Error>`);
      return;
    }
    const answer = s3.answerWith(request);
    if (answer !== undefined) return void response.end(answer);
    s3.requests.push(`${request.method} ${url.pathname}`);
    const [, bucket, ...rest] = decodeURIComponent(url.pathname).split('/');
    if (bucket !== BUCKET) return void response.writeHead(404).end('<Error><Code>NoSuchBucket</Code></Error>');
    const [code, content, headers] = handle(request.method ?? '', rest.join('/'), url.searchParams, body);
    response.writeHead(code, headers).end(content);
  });
  const handle = (
    method: string,
    key: string,
    query: URLSearchParams,
    body: Buffer,
  ): [number, string | Buffer, Record<string, string>?] => {
    const { objects, uploads } = s3;
    const id = query.get('uploadId');
    const parts = uploads.get(id ?? '');
    if (method === 'GET' && key === '')
      return [200, listOf(query.get('prefix') ?? '', query.get('continuation-token'))];
    if (method === 'GET') return objects.has(key) ? [200, objects.get(key) ?? ''] : [404, '<Code>NoSuchKey</Code>'];
    if (method === 'POST' && query.has('uploads')) {
      const uploadId = `upload-${uploads.size}`;
      uploads.set(uploadId, new Map());
      return [200, `<UploadId>${uploadId}</UploadId>`];
    }
    if (method === 'PUT' && id !== null) {
      parts?.set(Number(query.get('partNumber')), body);
      return [200, '', { etag: `"${createHash('md5').update(body).digest('hex')}"` }];
    }
    if (method === 'PUT') objects.set(key, body);
    if (method === 'POST' && parts) {
      const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>"([\da-f]{32})"<\/ETag>/g)];
      objects.set(key, Buffer.concat(named.map(([, number]) => parts.get(Number(number)) ?? Buffer.alloc(0))));
      uploads.delete(id ?? '');
      return [200, '<CompleteMultipartUploadResult/>'];
    }
    if (method === 'DELETE' && id !== null) uploads.delete(id);
    else if (method === 'DELETE') objects.delete(key);
    return [method === 'DELETE' ? 204 : 200, ''];
  };
  /** Lists two objects at a time, so that clients have to request the next page. */
  const listOf = (prefix: string, after: string | null) => {
    const keys = [...s3.objects.keys()].sort().filter((key) => key.startsWith(prefix) && key > (after ?? ''));
    const contents = keys.slice(0, 2).map((key) => {
      const escaped = key.replaceAll('&', '&amp;');
      return `<Contents><Key>${escaped}</Key><Size>${s3.objects.get(key)?.length}</Size></Contents>`;
    });
    const next = keys.length > 2 ? `<NextContinuationToken>${keys[1]}</NextContinuationToken>` : '';
    return `<ListBucketResult>${contents.join('')}${next}</ListBucketResult>`;
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const s3: S3Server = {
    endpoint,
    keys: { USHER_S3_ENDPOINT: endpoint, USHER_S3_ACCESS_KEY: ACCESS_KEY, USHER_S3_SECRET_KEY: SECRET_KEY },
    objects: new Map(),
    uploads: new Map(),
    requests: [],
    answerWith: () => undefined,
    failWith: () => undefined,
    stop: async () => {
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
  onTestFinished(s3.stop);
  return s3;
}

/** Computes the signature from what arrived, as the documentation of S3 describes it. */
function isSigned({ method, headers }: IncomingMessage, url: URL, body: Buffer): boolean {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([\da-f]{64})$/;
  const [, access, day = '', region = '', names = '', signature] = pattern.exec(headers.authorization ?? '') ?? [];
  const time = String(headers['x-amz-date']);
  const hash = createHash('sha256').update(body).digest('hex');
  const isComplete = ['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => names.split(';').includes(name));
  if (access !== ACCESS_KEY || !isComplete || !time.startsWith(day) || headers['x-amz-content-sha256'] !== hash)
    return false;
  const query = url.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '')
    .map((part) => (part.includes('=') ? part : `${part}=`))
    .sort()
    .join('&');
  const lines = names.split(';').map((name) => `${name}:${headers[name]}`);
  const canonical = `${method}\n${url.pathname}\n${query}\n${lines.join('\n')}\n\n${names}\n${hash}`;
  const hashed = createHash('sha256').update(canonical).digest('hex');
  let key: Buffer | string = `AWS4${SECRET_KEY}`;
  for (const part of [day, region, 's3', 'aws4_request']) key = createHmac('sha256', key).update(part).digest();
  const text = `AWS4-HMAC-SHA256\n${time}\n${day}/${region}/s3/aws4_request\n${hashed}`;
  return createHmac('sha256', key).update(text).digest('hex') === signature;
}
