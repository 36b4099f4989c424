import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { BusboyFileStream, BusboyInstance } from '@fastify/busboy';
import { invalid, Refusal } from '../errors.ts';
import type { LargeBodies } from './answer.ts';
import { type Asked, bodyTooLarge } from './asked.ts';
import { collect, unite } from './collect.ts';
import { takeInLargeBody } from './large-body.ts';
import { parseQueryString } from './query-string.ts';
import type { UploadedFile } from './route.ts';
import type { Traffic } from './traffic.ts';

const LARGEST_FILE = 10 * 1024 * 1024;
const MOST_FILES = 20;
const LARGEST_FORM = 1024 * 1024;
const LARGEST_UPLOAD = MOST_FILES * LARGEST_FILE + LARGEST_FORM;
const LONGEST_NAME = 255;
const isFileField = (name: string | undefined) => /^files?(\[\d*\])?$/.test(name ?? '');

/** A form with files, as it comes. */
class Upload {
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

/** Uploads, whose files are on the disk until they are answered. */
export function uploadsIn(traffic: Traffic): LargeBodies<Upload | Buffer> {
  return {
    takeIn: (asked) => takeInUpload(asked, traffic),
    collect: async ({ url, params, mediaType }, taken) =>
      taken instanceof Upload
        ? { given: unite(url, taken.fields, params), files: taken.files }
        : { given: await collect({ url, params, body: taken, mediaType }) },
    forget: async (taken) => {
      if (taken instanceof Upload) await taken.remove();
    },
  };
}

/** Takes in the files of a form, all of them or none. A body that is no form is taken in like any other. */
async function takeInUpload(asked: Asked, traffic: Traffic): Promise<Upload | Buffer> {
  const { incoming, headers, mediaType } = asked;
  if (!/^multipart\/form-data/i.test(mediaType)) return takeInLargeBody(asked, traffic, LARGEST_FORM);
  if (Number(headers['content-length'] ?? 0) > LARGEST_UPLOAD) throw bodyTooLarge(LARGEST_UPLOAD);
  const folder = await mkdtemp(join(tmpdir(), 'usher-upload-'));
  try {
    const { fields, files } = await readForm(mediaType, incoming, folder);
    return new Upload(fields, files, folder);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function readForm(mediaType: string, incoming: IncomingMessage, folder: string) {
  const form = await openForm(mediaType);
  const pairs: [string, string][] = [];
  const files: UploadedFile[] = [];
  const written: Promise<void>[] = [];
  let refusal: Error | undefined;
  form.on('field', (name, value) => pairs.push([name, value]));
  form.on('file', (field, stream: BusboyFileStream, name: string | undefined) => {
    // Its end is told by the form as well.
    stream.on('error', () => {});
    if (!isFileField(field)) {
      stream.resume();
      return;
    }
    const file = { name: nameOf(name ?? field), path: join(folder, String(files.length)), tooLarge: false };
    files.push(file);
    stream.once('limit', () => {
      file.tooLarge = true;
    });
    written.push(pipeline(stream, createWriteStream(file.path, { mode: 0o600 })));
    written.at(-1)?.catch(() => {});
  });
  form.once('filesLimit', () => {
    refusal ??= invalid(`An upload has ${MOST_FILES} files at most`);
  });
  for (const limit of ['partsLimit', 'fieldsLimit'] as const)
    form.once(limit, () => {
      refusal ??= invalid('The form has more than 100 fields');
    });

  let taken = 0;
  const counted = async function* (pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      taken += piece.length;
      if (taken > LARGEST_UPLOAD) throw bodyTooLarge(LARGEST_UPLOAD);
      yield piece;
    }
  };
  try {
    await pipeline(incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>, counted, form);
    if (!refusal) await Promise.all(written);
  } catch (error) {
    await Promise.allSettled(written);
    throw refusal ?? (error instanceof Refusal ? error : notAForm());
  }
  if (refusal) {
    await Promise.allSettled(written);
    throw refusal;
  }
  const fields = parseQueryString(pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&'));
  return { fields, files };
}

/** Loaded when the first file comes: nobody waits for it at the start. */
async function openForm(mediaType: string): Promise<BusboyInstance> {
  const { Busboy } = await import('@fastify/busboy');
  try {
    return new Busboy({
      headers: { 'content-type': mediaType },
      isPartAFile: (field, type, name) =>
        name !== undefined || type === 'application/octet-stream' || isFileField(field),
      limits: { fileSize: LARGEST_FILE, files: MOST_FILES, fields: 100, parts: 200, fieldSize: 64 * 1024 },
    });
  } catch {
    throw notAForm();
  }
}

function notAForm() {
  return invalid('The body is not a valid multipart form');
}

function nameOf(given: string): string {
  return given.slice(0, LONGEST_NAME).toWellFormed();
}
