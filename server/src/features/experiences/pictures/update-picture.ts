import type { Picture } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { presentPicture } from './present-picture.ts';
import { lockPicture } from './queries.ts';

export async function updatePicture(ctx: Context, id: string, name: string): Promise<Picture> {
  return ctx.transaction(async (ctx) => {
    const row = await lockPicture(ctx, id);
    if (row.name === name) return presentPicture(row);
    const updated_at = ctx.now();
    const query = ctx.db.updateTable('pictures').set({ name, updated_at }).where('account_id', '=', ctx.account.id);
    await query.where('id', '=', id).execute();
    return presentPicture({ ...row, name, updated_at });
  });
}
