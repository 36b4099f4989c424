import { type AttentionEntry, canShowOn, findHostState, toTimestamp } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { currentAccount } from '../../../pages/current-account.ts';
import type { PublishedAccount } from '../../../published/published-account.ts';
import { placeOf } from '../../install/urls/show-places.ts';

/** Finds the Experiences that are live, but can show on none of the domains that are on. */
export async function findNowhere(ctx: Context, limit: number): Promise<AttentionEntry[]> {
  const account = await currentAccount(ctx, ctx.account);
  const domains = listDomainsOn(account);
  const nowhere = account
    .liveExperiences(ctx.now())
    .filter((experience) => !domains.some((domain) => canShowOn(placeOf(experience), domain)))
    .slice(0, limit);
  if (nowhere.length === 0) return [];
  const rows = await ctx.db
    .selectFrom('experiences')
    .select(['id', 'published_at'])
    .where('account_id', '=', ctx.account.id)
    .where(
      'id',
      'in',
      nowhere.map(({ id }) => id),
    )
    .execute();
  const publishedAt = new Map(rows.map(({ id, published_at }) => [id, published_at ?? 0]));
  const domainsChangedAt = await findLastDomainChange(ctx);
  return nowhere.map(({ id, kind, name }) => ({
    type: 'shows_nowhere',
    severity: 'error',
    since: toTimestamp(Math.max(publishedAt.get(id) ?? 0, domainsChangedAt)),
    count: null,
    target: { type: kind, id, name },
    step: null,
  }));
}

/** A local host is on until somebody adds a domain. */
function listDomainsOn({ urls }: PublishedAccount) {
  const on = [...urls].filter(([host]) => findHostState(host, urls) === 'on');
  const isLocalOn = findHostState('localhost', urls) === 'on';
  return [
    ...on.map(([host, { url_group_id, enabled }]) => ({ host, url_group_id, enabled })),
    ...(isLocalOn ? [{ host: 'localhost', url_group_id: null }] : []),
  ];
}

async function findLastDomainChange(ctx: Context): Promise<number> {
  const row = await ctx.db
    .selectFrom('urls')
    .select(({ fn }) => fn.max('updated_at').as('at'))
    .where('account_id', '=', ctx.account.id)
    .executeTakeFirst();
  return Number(row?.at ?? 0);
}
