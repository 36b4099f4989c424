import type { UrlGroup } from '@usher/domain';
import type { Context } from '../../context.ts';
import { type Page, type PageParameters, readPage } from '../../db/pagination/list-page.ts';
import { presentUrlGroup } from './queries.ts';

export async function listUrlGroups(
  ctx: Context,
  page: PageParameters,
): Promise<{ urlGroups: UrlGroup[]; cursor: Page<unknown>['cursor'] }> {
  const query = ctx.db.selectFrom('url_groups').selectAll().where('account_id', '=', ctx.account.id);
  const { rows, cursor } = await readPage(query, page);
  return { urlGroups: rows.map(presentUrlGroup), cursor };
}
