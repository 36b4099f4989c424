import { createHash } from 'node:crypto';
import type { PictureType } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import { ApiError } from '../../../errors.ts';

declare module '../../../context.ts' {
  interface AppContext {
    /** How many bytes the pictures of an account may have. 0 means no limit. */
    readonly pictureBytes: number;
  }
}

export type PictureRow = Selectable<Schema['pictures']>;

/** One query reads a piece. Requests that are waiting run between two of them. */
const PIECE_BYTES = 256 * 1024;

export interface NewPicture extends Pick<PictureRow, 'name' | 'width' | 'height'> {
  type: PictureType;
  /** The file, and the file with twice as many pixels, if there is one. */
  files: readonly Buffer[];
}

export function picturesOf(ctx: Pick<Context, 'db' | 'account'>) {
  return ctx.db.selectFrom('pictures').selectAll().where('account_id', '=', ctx.account.id);
}

/** Stores a picture within the limit of the account. If the account has the same picture already, that one is returned. */
export async function storePicture(
  ctx: Context,
  { files, name, type, width, height }: NewPicture,
): Promise<{ row: PictureRow; isNew: boolean }> {
  const hash = hashFiles(files);
  return ctx.transaction(async (ctx) => {
    // The clock is locked until the end, so of two uploads the second one counts the bytes of the first.
    const { account_id, id, updated_at } = (await ctx.clock()).newRow();
    const known = await ctx.dialect.lockRows(picturesOf(ctx).where('hash', '=', hash)).executeTakeFirst();
    if (known) return { row: await renew(ctx, known), isNew: false };
    const [one, two] = files;
    await checkStorage(ctx, (one?.length ?? 0) + (two?.length ?? 0));
    const row: PictureRow = {
      ...{ account_id, id, updated_at, hash, name, type, width, height },
      ...{ size: one?.length ?? 0, size_2x: two?.length ?? null, unused_at: updated_at },
    };
    await ctx.db.insertInto('pictures').values(row).execute();
    for (const [index, file] of files.entries())
      for (let position = 0; position * PIECE_BYTES < file.length; position++) {
        const bytes = file.subarray(position * PIECE_BYTES, (position + 1) * PIECE_BYTES);
        await ctx.db
          .insertInto('picture_pieces')
          .values({ account_id, hash, scale: index + 1, position, bytes })
          .execute();
      }
    return { row, isNew: true };
  });
}

/** A picture that is uploaded again is about to be used. */
async function renew(ctx: Context, row: PictureRow): Promise<PictureRow> {
  if (row.unused_at === null) return row;
  const unused_at = ctx.now();
  const query = ctx.db.updateTable('pictures').set({ unused_at }).where('account_id', '=', ctx.account.id);
  await query.where('id', '=', row.id).execute();
  return { ...row, unused_at };
}

/** Deletes a picture with its files, in the transaction of the context. */
export async function removePicture(ctx: Pick<Context, 'db' | 'account'>, { id, hash }: PictureRow): Promise<void> {
  const { db, account } = ctx;
  await db.deleteFrom('pictures').where('account_id', '=', account.id).where('id', '=', id).execute();
  await db.deleteFrom('picture_pieces').where('account_id', '=', account.id).where('hash', '=', hash).execute();
}

/** Reads the files of a picture. */
export async function readFiles(ctx: Pick<Context, 'db' | 'account'>, { hash }: PictureRow): Promise<Buffer[]> {
  const pieces = await ctx.db
    .selectFrom('picture_pieces')
    .select(['scale', 'bytes'])
    .where('account_id', '=', ctx.account.id)
    .where('hash', '=', hash)
    .orderBy('scale')
    .orderBy('position')
    .execute();
  return [1, 2].flatMap((scale) => {
    const own = pieces.filter((piece) => piece.scale === scale);
    return own.length > 0 ? [Buffer.concat(own.map(({ bytes }) => bytes))] : [];
  });
}

async function checkStorage({ app, db, account }: Context, added: number): Promise<void> {
  const max = app.pictureBytes;
  const row = await db
    .selectFrom('pictures')
    .select(({ fn }) => [fn.sum<number>('size').as('size'), fn.sum<number>('size_2x').as('size_2x')])
    .where('account_id', '=', account.id)
    .executeTakeFirst();
  const used = Number(row?.size ?? 0) + Number(row?.size_2x ?? 0);
  if (max === 0 || used + added <= max) return;
  throw new ApiError(413, [
    `The pictures of this account may have ${megabytes(max)} MB, and have ${megabytes(used)} MB already: delete some that are not used, or ask the operator of this server to raise USHER_PICTURE_STORAGE`,
  ]);
}

const megabytes = (bytes: number) => Math.round(bytes / 100_000) / 10;

/** The lengths keep apart where one file ends and the next one begins. */
export function hashFiles(files: readonly Buffer[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file.length}:`).update(file);
  return hash.digest('hex').slice(0, 32);
}
