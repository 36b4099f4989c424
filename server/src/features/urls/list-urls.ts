import { readHost, type Url } from '@usher/domain';
import type { Context } from '../../context.ts';
import { type Page, type PageParameters, readPage } from '../../http/page.ts';
import { presentUrl } from './queries.ts';

export async function listUrls(
  ctx: Context,
  { domain, ...page }: { domain?: string } & PageParameters,
): Promise<{ urls: Url[]; cursor: Page<unknown>['cursor'] }> {
  let query = ctx.db.selectFrom('urls').selectAll().where('account_id', '=', ctx.account.id);
  if (domain !== undefined) query = query.where('domain', '=', canonical(domain));
  const { rows, cursor } = await readPage(query, page);
  return { urls: rows.map(presentUrl), cursor };
}

/** What cannot be a host is no Url's domain either: the list is empty then. */
function canonical(domain: string): string {
  const host = readHost(domain);
  return 'problem' in host ? domain : host.host;
}
