import { listPictureHashes } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { picturesOf, readFiles, storePicture } from './store-picture.ts';

/** Copies the pictures that a document or its translations refer to into another account, and returns it with their paths there. */
export async function copyPictures<T>(ctx: Context, there: Context, content: T): Promise<T> {
  const json = JSON.stringify(content);
  for (const hash of listPictureHashes(json, ctx.account.id)) {
    const row = await picturesOf(ctx).where('hash', '=', hash).executeTakeFirst();
    if (row) await storePicture(there, { ...row, files: await readFiles(ctx, row) });
  }
  return JSON.parse(json.replaceAll(`/media/${ctx.account.id}/`, `/media/${there.account.id}/`));
}
