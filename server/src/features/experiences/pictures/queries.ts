import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { type PictureRow, picturesOf } from '../picture-files/store-picture.ts';

export async function getPicture(ctx: Context, id: string): Promise<PictureRow> {
  const row = await picturesOf(ctx).where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('picture');
  return row;
}

export async function lockPicture(ctx: Context, id: string): Promise<PictureRow> {
  const row = await ctx.dialect.lockRows(picturesOf(ctx).where('id', '=', id)).executeTakeFirst();
  if (!row) throw notFound('picture');
  return row;
}
