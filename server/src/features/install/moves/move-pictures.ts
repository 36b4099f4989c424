import { createHash } from 'node:crypto';
import {
  findPictureProblem,
  formatPicturePath,
  isRecord,
  MAX_PICTURE_BYTES,
  type PictureFile,
  parsePicturePath,
  readPicture,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { messageOf } from '../../../error-code.ts';
import { ApiError } from '../../../errors.ts';
import { hashFiles, picturesOf, storePicture } from '../../experiences/picture-files/store-picture.ts';
import { type Source, SourceFailure } from './source.ts';

/** What became of the pictures of the other service, by their address there. */
export type MovedPictures = Map<string, { path: string } | { problem: string }>;

interface Place {
  ctx: Context;
  source: Source;
  pictures: MovedPictures;
  /** Whether nothing may be stored. */
  isDry: boolean;
}

/** The address of an image in Markdown. One with a merge tag is another one for each user. The limits keep the time linear. */
const image = /(!\[[^\]]{0,500}\]\(\s{0,9}<?)([^\s<>(){}]{1,2000})(?=[\s>)])/g;

/**
 * Copies the pictures that records of the other service show into the media of the account, and returns the records with their paths
 * here. A picture that cannot be copied keeps its address.
 */
export async function movePictures<T>(place: Place, records: T): Promise<T> {
  for (const address of listAddresses(records))
    if (!place.pictures.has(address)) place.pictures.set(address, await movePicture(place, address));
  return replaceAddresses(records, (address) => {
    const moved = place.pictures.get(address);
    return moved && 'path' in moved ? moved.path : address;
  }) as T;
}

/** Why pictures that these records show were not copied. */
export function listPictureProblems(pictures: MovedPictures, records: unknown): string[] {
  return listAddresses(records).flatMap((address) => {
    const moved = pictures.get(address);
    return moved && 'problem' in moved ? [`The picture ${shorten(address)} was not copied: ${moved.problem}`] : [];
  });
}

/** An address can contain the whole picture. */
function shorten(address: string): string {
  return address.length > 200 ? `${address.slice(0, 200)}…` : address;
}

function listAddresses(records: unknown): string[] {
  const found = new Set<string>();
  replaceAddresses(records, (address) => {
    if (address !== '') found.add(address);
    return address;
  });
  return [...found];
}

/** The fields `picture`, and the images in all texts. */
function replaceAddresses(value: unknown, replace: (address: string) => string): unknown {
  if (typeof value === 'string')
    return value.replace(image, (_, start: string, address: string) => start + replace(address));
  if (Array.isArray(value)) return value.map((item) => replaceAddresses(item, replace));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === 'picture' && typeof item === 'string' ? replace(item) : replaceAddresses(item, replace),
    ]),
  );
}

async function movePicture(place: Place, address: string): Promise<{ path: string } | { problem: string }> {
  const path = await findMoved(place.ctx, address);
  if (path !== undefined) return { path };
  try {
    return { path: await copyPicture(place, address) };
  } catch (error) {
    if (error instanceof SourceFailure || (error instanceof ApiError && error.code >= 500)) throw error;
    return { problem: messageOf(error) };
  }
}

/** Where a picture is that an earlier run has copied, if no one has deleted it since. */
async function findMoved(ctx: Context, address: string): Promise<string | undefined> {
  const row = await ctx.db
    .selectFrom('moved_pictures')
    .select('path')
    .where('account_id', '=', ctx.account.id)
    .where('address_hash', '=', hashOf(address))
    .executeTakeFirst();
  const hash = row && parsePicturePath(row.path)?.hash;
  if (!row || hash === undefined) return undefined;
  return (await picturesOf(ctx).where('hash', '=', hash).executeTakeFirst()) && row.path;
}

/** A picture of another Usher has a path, and may have a second file with twice as many pixels. */
async function copyPicture({ ctx, source, isDry }: Place, address: string): Promise<string> {
  const known = parsePicturePath(address);
  const addresses = known?.scale === 2 ? [formatPicturePath({ ...known, scale: 1 }), address] : [address];
  const files: { bytes: Buffer; picture: PictureFile }[] = [];
  for (const one of addresses) files.push(toPicture(await source.file(one, MAX_PICTURE_BYTES + 1)));
  const [first] = files;
  if (!first) throw new Error('it has no file');
  const { type, width, height } = first.picture;
  const bytes = files.map((file) => file.bytes);
  const scale = files.length === 2 ? 2 : 1;
  const path = formatPicturePath({ accountId: ctx.account.id, hash: hashFiles(bytes), width, height, scale, type });
  if (isDry) return path;
  await ctx.transaction(async (ctx) => {
    await storePicture(ctx, { name: nameOf(address), type, width, height, files: bytes });
    await ctx.db
      .insertInto('moved_pictures')
      .values({ account_id: ctx.account.id, address_hash: hashOf(address), path })
      .onConflict((known) => known.columns(['account_id', 'address_hash']).doUpdateSet({ path }))
      .execute();
  });
  return path;
}

/** What the file says beside the picture is left out, as it is when somebody uploads one. */
function toPicture(bytes: Buffer): { bytes: Buffer; picture: PictureFile } {
  const read = readPicture(bytes);
  const clean = read && read.metadata.length > 0 && read.withoutMetadata ? Buffer.from(read.withoutMetadata) : bytes;
  const picture = clean === bytes ? read : readPicture(clean);
  const problem = findPictureProblem(clean, picture);
  if (problem !== undefined || !picture) throw new Error(problem);
  return { bytes: clean, picture };
}

function nameOf(address: string): string {
  const file = address.split(/[?#]/)[0]?.split('/').at(-1) ?? '';
  return (
    file
      .replace(/\.\w{2,5}$/, '')
      .slice(0, 255)
      .toWellFormed() || 'Picture'
  );
}

function hashOf(address: string): string {
  return createHash('sha256').update(address).digest('hex').slice(0, 32);
}
