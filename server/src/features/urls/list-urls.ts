import { readHost, type Url } from '@usher/domain';
import type { Context } from '../../context.ts';
import { type ListPage, listPage, type PageParameters } from '../../db/pagination/list-page.ts';
import { presentUrl } from './queries.ts';

export async function listUrls(
  ctx: Context,
  { domain, host, ...page }: { domain?: string; host?: string } & PageParameters,
): Promise<{ urls: Url[]; cursor: ListPage<unknown>['cursor'] }> {
  let query = ctx.db.selectFrom('urls').selectAll().where('account_id', '=', ctx.account.id);
  if (domain !== undefined) query = query.where('domain', '=', canonical(domain));
  if (host !== undefined) query = query.where('host', '=', canonical(host));
  const { rows, cursor } = await listPage(query, page);
  return { urls: rows.map(presentUrl), cursor };
}

/** What cannot be a host is no Url's either: the list is empty then. */
function canonical(text: string): string {
  const host = readHost(text);
  return 'problem' in host ? text : host.host;
}
