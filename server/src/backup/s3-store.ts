import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { systemCallOf } from '../error-code.ts';
import { BackupProblem } from './errors.ts';
import { rejected, unreachable } from './s3-problems.ts';
import { elementsOf, readText, textOf } from './s3-response.ts';
import { encodeStrictly, type S3Keys, signRequest } from './sign-request.ts';
import type { BackupStore, StoredFile } from './store.ts';

interface S3Settings extends S3Keys {
  endpoint: string;
}

/** S3 takes up to 10,000 parts, so a backup can have 160 GB. One part is in memory at a time. */
const PART_BYTES = 16 * 1024 * 1024;
const REQUEST_TIMEOUT_MS = 5 * 60_000;
const CLEANUP_TIMEOUT_MS = 10_000;
const RETRY_DELAYS_MS = [500, 3000];
/** A list has up to 1000 objects with names of up to 1 KB. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/** A deletion log has 170 bytes for each forgotten user. */
const MAX_TEXT_BYTES = 256 * 1024 * 1024;
const MAX_LISTS = 1000;
const MAX_LISTS_LENGTH = 256 * 1024 * 1024;

interface RequestOptions {
  query?: Record<string, string>;
  body?: Uint8Array | string;
  /** Whether the body of the response may take any time, as long as it arrives. */
  isDownload?: boolean;
  /** A cleanup request is sent even after all other requests were aborted. The server does not wait as long for it. */
  isCleanup?: boolean;
}

/** Keeps backups in a bucket of S3, or of a server that speaks its protocol. */
export class S3Store implements BackupStore {
  readonly #settings: S3Settings;
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #folder: string;
  readonly #aborted = new AbortController();

  /** @param folder for the file that is uploaded */
  constructor(
    { bucket, prefix }: { bucket: string; prefix: string },
    settings: S3Settings | undefined,
    folder: string,
  ) {
    if (!settings) throw new BackupProblem('set USHER_S3_ACCESS_KEY and USHER_S3_SECRET_KEY for files on s3://');
    this.#settings = settings;
    this.#bucket = bucket;
    this.#prefix = prefix === '' ? '' : `${prefix}/`;
    this.#folder = folder;
  }

  async check(): Promise<void> {
    await this.list();
  }

  async list(): Promise<StoredFile[]> {
    const files: StoredFile[] = [];
    let token = '';
    let length = 0;
    for (let lists = 1; ; lists++) {
      const query: Record<string, string> = {
        'list-type': '2',
        prefix: this.#prefix,
        ...(token && { 'continuation-token': token }),
      };
      const xml = await this.#requestText('GET', '', { query });
      if (!xml.includes('<ListBucketResult'))
        throw new BackupProblem(`${this.#settings.endpoint} is no S3 storage: check USHER_S3_ENDPOINT`);
      for (const content of elementsOf(xml, 'Contents')) {
        const name = textOf(content, 'Key').slice(this.#prefix.length);
        if (!name.includes('/')) files.push({ name, bytes: Number(textOf(content, 'Size')) });
      }
      length += xml.length;
      const next = textOf(xml, 'NextContinuationToken');
      if (next === '') return files;
      if (next === token || lists === MAX_LISTS || length > MAX_LISTS_LENGTH)
        throw new BackupProblem(
          `the list of the bucket ${this.#bucket} does not end: use a prefix for these files alone`,
        );
      token = next;
    }
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
    return this.#requestText('GET', name, {}, MAX_TEXT_BYTES);
  }

  async fetchTo(name: string, file: string, bytes: number): Promise<void> {
    const { body } = await this.#request('GET', name, { isDownload: true });
    if (!body) throw new BackupProblem(`${name} is empty`);
    const content = limit(Readable.fromWeb(body as never), name, bytes);
    try {
      await pipeline(content, createWriteStream(file, { mode: 0o600, flags: 'wx' }));
    } catch (error) {
      if (error instanceof BackupProblem || systemCallOf(error) === 'write') throw error;
      throw unreachable(this.#settings.endpoint, error);
    }
  }

  async remove(name: string): Promise<void> {
    await this.#request('DELETE', name);
  }

  abort(): void {
    this.#aborted.abort();
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
    const created = await this.#requestText('POST', name, { query: { uploads: '' } });
    const uploadId = textOf(created, 'UploadId');
    try {
      let list = '';
      for (let part = 0; part < count; part++) {
        const query = { partNumber: String(part + 1), uploadId };
        const response = await this.#request('PUT', name, { query, body: await read(part) });
        list += `<Part><PartNumber>${part + 1}</PartNumber><ETag>${response.headers.get('etag')}</ETag></Part>`;
      }
      const body = `<CompleteMultipartUpload>${list}</CompleteMultipartUpload>`;
      const completed = await this.#requestText('POST', name, { query: { uploadId }, body });
      // This response begins before the parts are joined, so its status does not say whether that worked.
      if (completed.includes('<Error>')) throw new Error(`the storage said: ${textOf(completed, 'Code')}`);
    } catch (error) {
      // Otherwise the storage would keep the parts, and charge for them.
      await this.#request('DELETE', name, { query: { uploadId }, isCleanup: true }).catch(() => {});
      throw error;
    }
  }

  async #requestText(method: string, name: string, options: RequestOptions, maxBytes = MAX_ANSWER_BYTES) {
    const response = await this.#request(method, name, options);
    try {
      return await readText(response, maxBytes);
    } catch (error) {
      throw error instanceof BackupProblem ? error : unreachable(this.#settings.endpoint, error);
    }
  }

  /** Tries again if the storage cannot be reached, or has a problem of its own. */
  async #request(method: string, name: string, options: RequestOptions = {}): Promise<Response> {
    for (let attempt = 0; ; attempt++) {
      const delay = RETRY_DELAYS_MS[attempt];
      try {
        const response = await this.#send(method, name, options);
        if (response.ok) return response;
        const code = textOf(await readText(response, MAX_ANSWER_BYTES), 'Code');
        if (response.status < 500 || delay === undefined) throw rejected(response.status, code, this.#bucket);
      } catch (error) {
        if (error instanceof BackupProblem) throw error;
        if (delay === undefined || this.#aborted.signal.aborted) throw unreachable(this.#settings.endpoint, error);
      }
      await pause(delay);
    }
  }

  #signalFor({ isDownload, isCleanup }: RequestOptions): AbortSignal {
    if (isCleanup) return AbortSignal.timeout(CLEANUP_TIMEOUT_MS);
    const { signal } = this.#aborted;
    // A download has no limit for its whole time, only Node's own limit for the time between two pieces.
    return isDownload ? signal : AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]);
  }

  #send(method: string, name: string, { query = {}, body = '', ...options }: RequestOptions): Promise<Response> {
    const key = name === '' ? '' : `${this.#prefix}${name}`;
    const path = [this.#bucket, ...key.split('/').filter((part) => part !== '')].map(encodeStrictly).join('/');
    const url = new URL(`${this.#settings.endpoint}/${path}`);
    for (const [parameter, value] of Object.entries(query)) url.searchParams.set(parameter, value);
    // The query must be sent as it is signed, and some servers read a plus as a space.
    url.search = url.search.replaceAll('+', '%20');
    const { host: _, ...headers } = signRequest({ method, url, body }, this.#settings, new Date());
    const sent = method === 'GET' || method === 'DELETE' ? undefined : body;
    return fetch(url, {
      method,
      headers,
      // A redirect is reported as a rejected request, whose message says what to correct.
      redirect: 'manual',
      signal: this.#signalFor(options),
      ...(sent !== undefined && { body: sent as string }),
    });
  }
}

/** Throws if the object has more or fewer bytes than the list of the bucket says. */
async function* limit(content: AsyncIterable<Uint8Array>, name: string, bytes: number): AsyncGenerator<Uint8Array> {
  let received = 0;
  for await (const piece of content) {
    received += piece.byteLength;
    if (received > bytes) break;
    yield piece;
  }
  if (received !== bytes)
    throw new BackupProblem(`${name} has not the ${bytes} bytes that the storage lists: try again`);
}
