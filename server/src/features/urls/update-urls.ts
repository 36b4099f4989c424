import type { UpdateUrls, Url } from '@usher/domain';
import type { Context } from '../../context.ts';
import { changeUrls, lockUrls, presentUrl } from './queries.ts';

/** Changes all of them or, when one is unknown, none. */
export async function updateUrls(ctx: Context, { ids, ...params }: UpdateUrls): Promise<Url[]> {
  return ctx.transaction(async (ctx) => {
    const rows = await changeUrls(ctx, await lockUrls(ctx, ids), params);
    return rows.map(presentUrl);
  });
}
