import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { BackupProblem } from './errors.ts';
import { encodeStrictly, type S3Keys, signRequest } from './sign-request.ts';
import type { BackupStore, StoredFile } from './store.ts';

interface S3Settings extends S3Keys {
  endpoint: string;
}

/** S3 takes up to 10,000 parts, so a backup can have 160 GB. One part is in memory at a time. */
const PART_BYTES = 16 * 1024 * 1024;
const REQUEST_TIMEOUT_MS = 5 * 60_000;
const RETRY_DELAYS_MS = [500, 3000];

interface RequestOptions {
  query?: Record<string, string>;
  body?: Uint8Array | string;
}

/** Keeps backups in a bucket of S3, or of a server that speaks its protocol. */
export class S3Store implements BackupStore {
  readonly #settings: S3Settings;
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #folder: string;

  /** @param folder for the file that is uploaded */
  constructor(
    { bucket, prefix }: { bucket: string; prefix: string },
    settings: S3Settings | undefined,
    folder: string,
  ) {
    if (!settings) throw new BackupProblem('set USHER_S3_ACCESS_KEY and USHER_S3_SECRET_KEY for a backup on s3://');
    this.#settings = settings;
    this.#bucket = bucket;
    this.#prefix = prefix === '' ? '' : `${prefix}/`;
    this.#folder = folder;
  }

  async list(): Promise<StoredFile[]> {
    const files: StoredFile[] = [];
    let token = '';
    do {
      const query: Record<string, string> = {
        'list-type': '2',
        prefix: this.#prefix,
        ...(token && { 'continuation-token': token }),
      };
      const xml = await (await this.#request('GET', '', { query })).text();
      for (const [, content = ''] of xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
        const name = textOf(content, 'Key').slice(this.#prefix.length);
        if (!name.includes('/')) files.push({ name, bytes: Number(textOf(content, 'Size')) });
      }
      token = textOf(xml, 'NextContinuationToken');
    } while (token !== '');
    return files;
  }

  async save(name: string, make: (file: string) => Promise<unknown>): Promise<StoredFile> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const file = join(this.#folder, `usher.db.upload-${randomBytes(6).toString('hex')}`);
    try {
      await make(file);
      const { size: bytes } = await stat(file);
      await this.#upload(name, file, bytes);
      const stored = (await this.list()).find((one) => one.name === name);
      if (stored?.bytes !== bytes)
        throw new Error(`${name} has ${stored?.bytes ?? 0} of ${bytes} bytes after the upload`);
      return { name, bytes };
    } finally {
      await rm(file, { force: true });
    }
  }

  async saveText(name: string, content: string): Promise<void> {
    await this.#request('PUT', name, { body: content });
  }

  async readText(name: string): Promise<string> {
    return (await this.#request('GET', name)).text();
  }

  async fetchTo(name: string, file: string): Promise<void> {
    const { body } = await this.#request('GET', name);
    if (!body) throw new BackupProblem(`${name} is empty`);
    await pipeline(Readable.fromWeb(body as never), createWriteStream(file, { mode: 0o600, flags: 'wx' }));
  }

  async remove(name: string): Promise<void> {
    await this.#request('DELETE', name);
  }

  async #upload(name: string, file: string, bytes: number): Promise<void> {
    const handle = await open(file, 'r');
    const buffer = Buffer.alloc(Math.min(PART_BYTES, bytes));
    const read = async (at: number) => buffer.subarray(0, (await handle.read(buffer, 0, buffer.length, at)).bytesRead);
    try {
      if (bytes <= PART_BYTES) await this.#request('PUT', name, { body: await read(0) });
      else await this.#uploadParts(name, Math.ceil(bytes / PART_BYTES), (part) => read(part * PART_BYTES));
    } finally {
      await handle.close();
    }
  }

  async #uploadParts(name: string, count: number, read: (part: number) => Promise<Uint8Array>): Promise<void> {
    const created = await (await this.#request('POST', name, { query: { uploads: '' } })).text();
    const uploadId = textOf(created, 'UploadId');
    try {
      let list = '';
      for (let part = 0; part < count; part++) {
        const query = { partNumber: String(part + 1), uploadId };
        const response = await this.#request('PUT', name, { query, body: await read(part) });
        list += `<Part><PartNumber>${part + 1}</PartNumber><ETag>${response.headers.get('etag')}</ETag></Part>`;
      }
      const body = `<CompleteMultipartUpload>${list}</CompleteMultipartUpload>`;
      const completed = await (await this.#request('POST', name, { query: { uploadId }, body })).text();
      // This response begins before the parts are joined, so its status does not say whether that worked.
      if (completed.includes('<Error>')) throw new Error(`the storage said: ${textOf(completed, 'Code')}`);
    } catch (error) {
      // Otherwise the storage would keep the parts, and charge for them.
      await this.#request('DELETE', name, { query: { uploadId } }).catch(() => {});
      throw error;
    }
  }

  /** Tries again if the storage cannot be reached, or has a problem of its own. */
  async #request(method: string, name: string, options: RequestOptions = {}): Promise<Response> {
    for (let attempt = 0; ; attempt++) {
      const delay = RETRY_DELAYS_MS[attempt];
      try {
        const response = await this.#send(method, name, options);
        if (response.ok) return response;
        const code = textOf(await response.text(), 'Code');
        if (response.status < 500 || delay === undefined) throw rejected(response.status, code, this.#bucket);
      } catch (error) {
        if (error instanceof BackupProblem) throw error;
        if (delay === undefined) throw unreachable(this.#settings.endpoint, error);
      }
      await pause(delay);
    }
  }

  #send(method: string, name: string, { query = {}, body = '' }: RequestOptions): Promise<Response> {
    const key = name === '' ? '' : `${this.#prefix}${name}`;
    const path = [this.#bucket, ...key.split('/').filter((part) => part !== '')].map(encodeStrictly).join('/');
    const url = new URL(`${this.#settings.endpoint}/${path}`);
    for (const [parameter, value] of Object.entries(query)) url.searchParams.set(parameter, value);
    // The query is sent as it is signed: a plus would be a space for some servers.
    url.search = url.search.replaceAll('+', '%20');
    const { host: _, ...headers } = signRequest({ method, url, body }, this.#settings, new Date());
    const sent = method === 'GET' || method === 'DELETE' ? undefined : body;
    return fetch(url, {
      method,
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      ...(sent !== undefined && { body: sent as string }),
    });
  }
}

function rejected(status: number, code: string, bucket: string): BackupProblem {
  return new BackupProblem(`the storage rejected a request to the bucket ${bucket} with ${status} ${code}`.trim());
}

function unreachable(endpoint: string, error: unknown): BackupProblem {
  const { cause, message } = error as Error & { cause?: { code?: string } };
  return new BackupProblem(`the storage at ${endpoint} cannot be reached: ${cause?.code ?? message}`);
}

/** The text of the first element with this name. */
function textOf(xml: string, name: string): string {
  const [, text = ''] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? [];
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => entities[entity] ?? '');
}
