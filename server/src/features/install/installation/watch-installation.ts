import { hasPermission, type Millis } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { currentAccount } from '../../../pages/current-account.ts';
import { bumpPublishedVersion } from '../../../published/bump-published-version.ts';

const WATCH_MS: Millis = 5 * 60_000;
/**
 * The dashboard repeats its request every two seconds. The time is extended when less than this is left, so it is
 * written every two minutes.
 */
const RENEW_BELOW_MS: Millis = 3 * 60_000;

/**
 * Starts to record, for the next minutes, what pages do. Other nodes find out with their next page load, by the
 * published version. Browsers do not cache the loader meanwhile, so neither a link on another site nor a viewer may
 * start this.
 */
export async function watchInstallation(ctx: Context): Promise<void> {
  const { role, secret } = ctx.actor;
  const mayStart = hasPermission({ role, scope: secret?.scope }, 'edit') && !ctx.request?.isFromOtherSite;
  if (!mayStart || (await isLongEnough(ctx))) return;
  await ctx.transaction(async (ctx) => {
    // If several requests come at the same time, only the first writes: the others wait here for the clock.
    await ctx.clock();
    if (await isLongEnough(ctx)) return;
    await bumpPublishedVersion(ctx);
    const watched_until = ctx.now() + WATCH_MS;
    await ctx.db
      .insertInto('account_installations')
      .values({ account_id: ctx.account.id, watched_until })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ watched_until }))
      .execute();
  });
  // The account is loaded again, so that this node records immediately.
  await currentAccount(ctx, ctx.account);
}

async function isLongEnough(ctx: Context): Promise<boolean> {
  const known = await ctx.db
    .selectFrom('account_installations')
    .select('watched_until')
    .where('account_id', '=', ctx.account.id)
    .executeTakeFirst();
  return (known?.watched_until ?? 0) > ctx.now() + RENEW_BELOW_MS;
}
