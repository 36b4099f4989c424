import type { ShownLimitGroup } from '@usher/domain';
import type { Context } from '../../context.ts';
import { type ListPage, listPage, type PageParameters } from '../../db/pagination/list-page.ts';
import { limitGroupsOf, presentLimitGroup } from './queries.ts';

export async function listLimitGroups(
  ctx: Context,
  page: PageParameters,
): Promise<{ limit_groups: ShownLimitGroup[]; cursor: ListPage<unknown>['cursor'] }> {
  const { rows, cursor } = await listPage(limitGroupsOf(ctx), page);
  return { limit_groups: rows.map(presentLimitGroup), cursor };
}
