import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord, type Picture, parsePicturePath, toFileKey } from '@usher/domain';
import { hashFiles } from '../features/experiences/picture-files/store-picture.ts';
import { CommandError } from './errors.ts';
import { writeIfChanged } from './files-folder.ts';

/*
 * Pictures are files beside the records: `pictures/login.webp`, and `pictures/login@2x.webp` with twice as many pixels. Records have
 * their relative path, so that editors can show them.
 */

const FOLDER = 'pictures';
type Send = (path: string, init?: RequestInit) => Promise<Response>;

/** The files of a picture that is in the folder. */
interface LocalPicture {
  name: string;
  files: Buffer[];
}

/** The pictures of the folder by their hashes. */
async function readPictures(dir: string): Promise<Map<string, LocalPicture>> {
  const entries = await readdir(join(dir, FOLDER), { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  const found = new Map<string, LocalPicture>();
  for (const name of names.filter((one) => /\.\w+$/.test(one) && !one.includes('@2x.'))) {
    const twice = toTwice(name);
    const sizes = names.includes(twice) ? [name, twice] : [name];
    const files = await Promise.all(sizes.map((one) => readFile(join(dir, FOLDER, one))));
    found.set(hashFiles(files), { name, files });
  }
  return found;
}

function toTwice(name: string): string {
  return name.replace(/(\.\w+)$/, '@2x$1');
}

async function listPictures(send: Send): Promise<Picture[]> {
  const pictures: Picture[] = [];
  for (let before = ''; ; ) {
    const response = await send(`/v3/edit/pictures?limit=500${before && `&before=${before}`}`);
    const page = (await response.json()) as { pictures: Picture[]; cursor: { before: string | null } };
    pictures.push(...page.pictures);
    if (page.cursor.before === null) return pictures;
    before = page.cursor.before;
  }
}

const mediaPath = /\/media\/[0-9a-f]{24}\/[0-9a-f]{32}-\d{1,4}x\d{1,4}(?:@2x)?\.\w+/g;
const localPath = /\.\.\/pictures\/([\w.@-]+)/g;

/** Downloads the pictures of the records that the folder does not have, and returns the records with relative paths. */
export async function pullPictures<T>(dir: string, send: Send, accountId: string, records: T): Promise<T> {
  const paths = new Set(JSON.stringify(records).match(mediaPath) ?? []);
  const local = await readPictures(dir);
  const known = new Map((paths.size > 0 ? await listPictures(send) : []).map((picture) => [picture.path, picture]));
  const names = new Map<string, string>();
  const taken = new Set([...local.values()].map(({ name }) => name));
  const idOf = (path: string) => known.get(path)?.id ?? '';
  // The oldest picture gets the name, if several have it.
  for (const path of [...paths].sort((one, other) => (idOf(one) < idOf(other) ? -1 : 1))) {
    const parsed = parsePicturePath(path);
    if (parsed?.accountId !== accountId) continue;
    const here = local.get(parsed.hash)?.name;
    const picture = known.get(path);
    if (here === undefined && !picture) continue;
    const wanted = toFileKey(picture?.name ?? '', 'picture');
    const free = taken.has(`${wanted}.${parsed.type}`) ? `${wanted}-${parsed.hash.slice(0, 8)}` : wanted;
    const name = here ?? `${free}.${parsed.type}`;
    taken.add(name);
    names.set(path, `../${FOLDER}/${name}`);
    if (here !== undefined) continue;
    const one = path.replace('@2x', '');
    await writeIfChanged(join(dir, FOLDER, name), await download(send, one));
    if (parsed.scale === 2) await writeIfChanged(join(dir, FOLDER, toTwice(name)), await download(send, path));
  }
  return mapTexts(records, (text) => text.replace(mediaPath, (path) => names.get(path) ?? path));
}

async function download(send: Send, path: string): Promise<Buffer> {
  return Buffer.from(await (await send(path)).arrayBuffer());
}

/** Uploads the pictures that the account does not have, and returns the record with their paths there. */
export async function pushPictures<T>(dir: string, send: Send, records: T): Promise<T> {
  const wanted = new Set([...JSON.stringify(records).matchAll(localPath)].map(([, name = '']) => name));
  if (wanted.size === 0) return records;
  const paths = new Map<string, string>();
  const known = new Map((await listPictures(send)).map(({ path }) => [parsePicturePath(path)?.hash, path]));
  for (const [hash, { name, files }] of await readPictures(dir)) {
    if (!wanted.has(name)) continue;
    paths.set(name, known.get(hash) ?? (await upload(send, name, files)));
  }
  return mapTexts(records, (text) =>
    text.replace(localPath, (path, name: string) => {
      const there = paths.get(name);
      // A text may name a file that is no picture; a whole value cannot.
      if (there === undefined && text === path)
        throw new CommandError(`there is no picture ${FOLDER}/${name}: add the file`);
      return there ?? path;
    }),
  );
}

async function upload(send: Send, name: string, files: readonly Buffer[]): Promise<string> {
  const form = new FormData();
  for (const file of files) form.append('files[]', new Blob([new Uint8Array(file)]), name);
  const response = await send('/v3/edit/pictures', { method: 'POST', body: form });
  return ((await response.json()) as { picture: Picture }).picture.path;
}

function mapTexts<T>(value: T, map: (text: string) => string): T {
  if (typeof value === 'string') return map(value) as T;
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map)) as T;
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapTexts(one, map)])) as T;
}
