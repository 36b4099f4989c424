import type { UrlGroup } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { type ListPage, listPage, type PageParameters } from '../../../db/pagination/list-page.ts';
import { presentUrlGroup } from './present-url-group.ts';

export async function listUrlGroups(
  ctx: Context,
  page: PageParameters,
): Promise<{ urlGroups: UrlGroup[]; cursor: ListPage<unknown>['cursor'] }> {
  const query = ctx.db.selectFrom('url_groups').selectAll().where('account_id', '=', ctx.account.id);
  const { rows, cursor } = await listPage(query, page);
  return { urlGroups: rows.map(presentUrlGroup), cursor };
}
