import { setMaxListeners } from 'node:events';
import { createWriteStream } from 'node:fs';
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { BusboyFileStream, BusboyInstance } from '@fastify/busboy';
import { codeOf, systemCallOf } from '../error-code.ts';
import { ApiError, diskFull, invalid, tooLarge } from '../errors.ts';
import type { LargeBodies } from './handle-request.ts';
import type { HttpRequest } from './http-request.ts';
import { receiveLargeBody } from './large-body.ts';
import { mergeParams, parseParams } from './params.ts';
import { parseQueryString } from './query-string.ts';
import { receiveChunks } from './receive.ts';
import type { RequestQueues } from './request-queues.ts';
import type { UploadedFile } from './route.ts';

const MAX_FILE = 10 * 1024 * 1024;
const MAX_FILES = 20;
const MAX_FORM = 1024 * 1024;
const MAX_NAME = 255;
const FOLDER_PREFIX = 'usher-upload-';
/** `mkdtemp` appends six characters. */
const FOLDER_NAME = /^usher-upload-\w{6}$/;
const ABANDONED_AFTER_MS = 60 * 60_000;
const isFileField = (name: string | undefined) => /^files?(\[\d*\])?$/.test(name ?? '');

/** A received form. Its files are in a folder of their own. */
class UploadedForm {
  readonly fields: object;
  readonly files: readonly UploadedFile[];
  readonly #folder: string;

  constructor(fields: object, files: readonly UploadedFile[], folder: string) {
    this.fields = fields;
    this.files = files;
    this.#folder = folder;
  }

  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Uploads, whose files are on the disk until the request is done. */
export function createUploads(requestQueues: RequestQueues, maxFile = MAX_FILE): LargeBodies<UploadedForm | Buffer> {
  return {
    queues: requestQueues.uploads,
    receive: (request) => receiveUpload(request, requestQueues, maxFile),
    parse: async ({ url, params, mediaType }, body) =>
      body instanceof UploadedForm
        ? { input: mergeParams(url, body.fields, params), files: body.files }
        : { input: await parseParams({ url, params, body, mediaType }) },
    discard: async (body) => {
      if (body instanceof UploadedForm) await body.remove();
    },
  };
}

/** Removes the folders that killed servers left behind. They are older than any running upload can be. */
export async function sweepUploads(now = Date.now()): Promise<void> {
  const user = process.getuid?.();
  for (const name of await readdir(tmpdir())) {
    if (!FOLDER_NAME.test(name)) continue;
    const folder = join(tmpdir(), name);
    const found = await lstat(folder).catch(() => undefined);
    if (found?.isDirectory() && (user === undefined || found.uid === user) && found.mtimeMs < now - ABANDONED_AFTER_MS)
      await rm(folder, { recursive: true, force: true });
  }
}

/** Receives either all files of a form or none. A body that is not a form is received like any other. */
async function receiveUpload(
  request: HttpRequest,
  requestQueues: RequestQueues,
  maxFile: number,
): Promise<UploadedForm | Buffer> {
  if (!/^multipart\/form-data/i.test(request.mediaType)) return receiveLargeBody(request, requestQueues, MAX_FORM);
  // Only the user of this process can read the folder.
  const folder = await mkdtemp(join(tmpdir(), FOLDER_PREFIX)).catch((error) => {
    throw notStored(error);
  });
  try {
    const { fields, files } = await readForm(request, requestQueues, folder, maxFile);
    return new UploadedForm(fields, files, folder);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function readForm(request: HttpRequest, { bodyTimeout }: RequestQueues, folder: string, maxFile: number) {
  const form = await openForm(request.mediaType, maxFile);
  // Either many files of the usual size, or one large file.
  const maxUpload = Math.max(MAX_FILES * MAX_FILE, maxFile) + MAX_FORM;
  const pairs: [string, string][] = [];
  const files: UploadedFile[] = [];
  const writes: Promise<void>[] = [];
  // Stops all writes after any failure: the client may have left in the middle of a file.
  const failure = new AbortController();
  const { signal } = failure;
  setMaxListeners(2 * MAX_FILES, signal);
  form.on('field', (name, value) => pairs.push([name, value]));
  form.on('file', (field, stream: BusboyFileStream, name: string | undefined) => {
    // The form reports the same error, so this listener only keeps the process from ending.
    stream.on('error', () => {});
    if (!isFileField(field)) {
      stream.resume();
      return;
    }
    const file = { name: nameOf(name ?? field), path: join(folder, String(files.length)) };
    files.push(file);
    stream.once('limit', () => failure.abort(fileTooLarge(file, maxFile)));
    writes.push(pipeline(stream, createWriteStream(file.path, { mode: 0o600 }), { signal }));
    // After a write error nothing reads from the form, which would wait forever.
    writes.at(-1)?.catch((error) => {
      if (isDiskError(error)) failure.abort(notStored(error));
    });
  });
  form.once('filesLimit', () => failure.abort(invalid(`An upload has ${MAX_FILES} files at most`)));
  for (const limit of ['partsLimit', 'fieldsLimit'] as const)
    form.once(limit, () => failure.abort(invalid('The form has more than 100 fields')));

  try {
    await pipeline(receiveChunks(request, { size: maxUpload, timeout: bodyTimeout }), form, { signal });
    await Promise.all(writes);
    signal.throwIfAborted();
  } catch (error) {
    failure.abort(error instanceof ApiError ? error : notAForm());
    await Promise.allSettled(writes);
    throw signal.reason;
  }
  const fields = parseQueryString(pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&'));
  return { fields, files };
}

/** The parser is loaded with the first upload, so that it does not slow down the start. */
async function openForm(mediaType: string, maxFile: number): Promise<BusboyInstance> {
  const { Busboy } = await import('@fastify/busboy');
  try {
    return new Busboy({
      headers: { 'content-type': mediaType },
      isPartAFile: (field, type, name) =>
        name !== undefined || type === 'application/octet-stream' || isFileField(field),
      limits: { fileSize: maxFile, files: MAX_FILES, fields: 100, parts: 200, fieldSize: 64 * 1024 },
    });
  } catch {
    throw notAForm();
  }
}

function notAForm() {
  return invalid('The body is not a valid multipart form');
}

/** Whether writing the file failed, not reading the request. */
function isDiskError(error: unknown): boolean {
  return ['open', 'write', 'close'].includes(systemCallOf(error));
}

function notStored(cause: unknown): ApiError {
  const isFull = ['ENOSPC', 'EDQUOT'].includes(codeOf(cause));
  const apiError = isFull
    ? diskFull()
    : new ApiError(503, ['The files cannot be stored at the moment: try again in a few seconds']);
  apiError.cause = cause;
  return apiError;
}

function fileTooLarge({ name }: UploadedFile, maxFile: number): ApiError {
  return tooLarge(`The file ${name} is larger than ${Math.floor(maxFile / 1_000_000)} MB: give it in parts`);
}

function nameOf(input: string): string {
  return input.slice(0, MAX_NAME).toWellFormed();
}
