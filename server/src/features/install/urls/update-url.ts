import { resolveArchivedAt, type UpdateUrl, type Url } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { changeUrls, checkSeen } from './change-urls.ts';
import { lockUrls } from './queries.ts';
import { showUrl } from './show-url.ts';

export async function updateUrl(ctx: Context, id: string, params: UpdateUrl): Promise<Url> {
  const { unlisted: _, updated_at: seen, ...wanted } = params;
  return ctx.transaction(async (ctx) => {
    for (const url of await lockUrls(ctx, [id], wanted.url_group_id)) {
      checkSeen(url, seen);
      await changeUrls(ctx, [url], { ...wanted, archived_at: resolveArchivedAt(params, url.archived_at, ctx.now()) });
    }
    return showUrl(ctx, id);
  });
}
