import type { Tag } from '@usher/domain';
import type { Context } from '../../context.ts';
import { type ListPage, listPage, type PageParameters } from '../../db/pagination/list-page.ts';
import { presentTag, tagsOf } from './queries.ts';

export async function listTags(
  ctx: Context,
  page: PageParameters,
): Promise<{ tags: Tag[]; cursor: ListPage<unknown>['cursor'] }> {
  const { rows, cursor } = await listPage(tagsOf(ctx), page);
  return { tags: rows.map(presentTag), cursor };
}
