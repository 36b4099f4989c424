import type { Picture } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { conflict } from '../../../errors.ts';
import { removePicture } from '../picture-files/store-picture.ts';
import { listDraftUses, listPictureUses } from './find-uses.ts';
import { presentPicture } from './present-picture.ts';
import { getPicture, lockPicture } from './queries.ts';

/** Deletes a picture that no draft and no published version shows. Older versions and captures lose it. */
export async function deletePicture(ctx: Context, id: string): Promise<Picture> {
  const row = await getPicture(ctx, id);
  const uses = await listPictureUses(ctx, row);
  await ctx.transaction(async (ctx) => {
    const locked = await lockPicture(ctx, id);
    const current = [
      ...uses.filter(({ draft, published }) => draft || published),
      ...(await listDraftUses(ctx, locked)),
    ];
    const names = [...new Set(current.map(({ name }) => `“${name}”`))];
    if (names.length > 0)
      throw conflict(
        `The picture is used in ${names.slice(0, 5).join(', ')}: replace it everywhere, or remove it there`,
      );
    await removePicture(ctx, locked);
  });
  await ctx.app.storage.shred([row.hash]);
  return presentPicture(row);
}
