import { readHost, type Url } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { type ListPage, listPage, type PageParameters } from '../../../db/pagination/list-page.ts';
import { presentUrl } from './present-url.ts';

export async function listUrls(
  ctx: Context,
  { domain, host, ...page }: { domain?: string; host?: string } & PageParameters,
): Promise<{ urls: Url[]; cursor: ListPage<unknown>['cursor'] }> {
  let query = ctx.db.selectFrom('urls').selectAll().where('account_id', '=', ctx.account.id);
  if (domain !== undefined) query = query.where('domain', '=', normalizeHost(domain));
  if (host !== undefined) query = query.where('host', '=', normalizeHost(host));
  const { rows, cursor } = await listPage(query, page);
  return { urls: rows.map(presentUrl), cursor };
}

/** A text that cannot be a host is not changed: no Url has it, so the list is empty. */
function normalizeHost(text: string): string {
  const host = readHost(text);
  return 'problem' in host ? text : host.host;
}
