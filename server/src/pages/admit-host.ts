import {
  findHostState,
  type Host,
  type HostState,
  initialEnabled,
  isRecorded,
  isUntouched,
  MAX_RECORDED_HOSTS,
  timeOfId,
} from '@usher/domain';
import type { Context } from '../context.ts';
import { type ApiError, forbidden } from '../errors.ts';
import { bumpPublishedVersion } from '../published/bump-published-version.ts';
import type { PublishedAccount } from '../published/published-account.ts';
import { currentAccount } from './current-account.ts';
import { recordHostInstalled } from './record-host.ts';

/** Rejects a page whose host is not enabled. A new host is recorded, so that an administrator can enable it. */
export async function admitHost(ctx: Context, known: PublishedAccount, host: Host): Promise<PublishedAccount> {
  if (findHostState(host.host, known.urls) === 'on') {
    await recordHostInstalled(ctx, known, host.host);
    return known;
  }
  // An administrator may just have enabled it.
  let account = await currentAccount(ctx, known);
  const mayRecord = !ctx.app.disk.isNearlyFull && findHostState(host.host, account.urls) === 'unknown';
  if (mayRecord && ctx.app.pageCounts.allows(account.id, 'hosts')) {
    await recordHost(ctx, host, account);
    ctx.app.pageCounts.add(account.id, 'hosts');
    account = await currentAccount(ctx, account);
  }
  // Below a domain with all its subdomains enabled, a host is enabled even if it could not be recorded.
  if (!account.urls.has(host.host) && initialEnabled(host, account.urls) === 'on') return account;
  const state = findHostState(host.host, account.urls);
  await recordHostInstalled(ctx, account, host.host);
  if (state !== 'on') throw apiErrorOf(host.host, state);
  return account;
}

export function noHost(): ApiError {
  return forbidden(
    'Nobody can tell which host this page is on: send its address as `href`, such as `https://app.example.com/home`',
  );
}

export function noOrigin(): ApiError {
  return forbidden('Only a page may call this: its browser says in the header `Origin` which host it is on');
}

function apiErrorOf(host: string, state: Exclude<HostState, 'on'>): ApiError {
  return forbidden(`${host} ${reasonOf(state)}`);
}

/** Why a page on such a host gets no Experiences, and what to do about it. */
export function reasonOf(state: Exclude<HostState, 'on'>): string {
  if (state === 'archived') return 'is archived: take it out of the archive to show Experiences there';
  if (state === 'unknown') return 'is not one of your domains: add it with `POST /v3/edit/urls`';
  return 'is not enabled yet: turn it on among your domains, with `enabled` = `on`';
}

/**
 * Records a host. It takes the account clock and then increases the published version, as every other write does. Both
 * stay locked until the commit, so concurrent requests count the hosts correctly and cannot deadlock. If the limit is
 * reached, the oldest hosts that no administrator has changed are deleted. If there are none, nothing is recorded.
 */
async function recordHost(ctx: Context, host: Host, { urls }: PublishedAccount): Promise<void> {
  await ctx.transaction(async (ctx) => {
    const clock = await ctx.clock();
    await bumpPublishedVersion(ctx);
    const rows = await ctx.db
      .selectFrom('urls')
      .select(['id', 'installed_at', 'updated_at'])
      .where('account_id', '=', ctx.account.id)
      .where('installed_at', 'is not', null)
      .orderBy('id')
      .execute();
    const tooMany = rows.filter(isRecorded).length + 1 - MAX_RECORDED_HOSTS;
    const oldest = tooMany > 0 ? await lockOldest(ctx, rows.filter(isUntouched), tooMany) : [];
    if (oldest.length < tooMany) return;
    for (const { id } of oldest)
      await ctx.db.deleteFrom('urls').where('account_id', '=', ctx.account.id).where('id', '=', id).execute();
    const row = clock.newRow();
    // `isRecorded` and `isUntouched` recognize a recorded host by these two times.
    const created = timeOfId(row.id);
    await ctx.db
      .insertInto('urls')
      .values({ ...row, ...host, enabled: initialEnabled(host, urls), updated_at: created, installed_at: created })
      .onConflict((known) => known.columns(['account_id', 'host']).doNothing())
      .execute();
  });
}

/**
 * Skips a Url that another transaction is changing: that one locks the Url before the clock, so waiting for it would
 * deadlock.
 */
async function lockOldest(ctx: Context, urls: readonly { id: string }[], count: number): Promise<{ id: string }[]> {
  if (urls.length < count) return [];
  const query = ctx.db
    .selectFrom('urls')
    .select('id')
    .where('account_id', '=', ctx.account.id)
    .where(
      'id',
      'in',
      urls.map(({ id }) => id),
    )
    .orderBy('id')
    .limit(count);
  return ctx.dialect.lockRowsSkipLocked(query).execute();
}
