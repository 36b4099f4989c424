import type { UpdateUrls, Url } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { changeUrls } from './change-urls.ts';
import { presentUrl } from './present-url.ts';
import { lockUrls } from './queries.ts';

/** Changes all of these Urls, or none if one is unknown. */
export async function updateUrls(ctx: Context, { ids, ...params }: UpdateUrls): Promise<Url[]> {
  return ctx.transaction(async (ctx) => {
    const rows = await changeUrls(ctx, await lockUrls(ctx, ids, params.url_group_id), params);
    return rows.map(presentUrl);
  });
}
