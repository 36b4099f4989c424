import { isLoopback, isRecent, MAX_CLOCK_SKEW_MS, type Millis } from '@usher/domain';
import type { Context } from '../context.ts';
import type { PublishedAccount } from '../published/published-account.ts';

const SEEN_INTERVAL_MS: Millis = 60_000;
const LOCAL = 'localhost';

/** The hosts that were recorded since the account was loaded, so that they are not recorded with every page load. */
const recorded = new WeakMap<PublishedAccount, { installed: Set<string>; seen: Map<string, Millis> }>();

function recordedFor(account: PublishedAccount) {
  const known = recorded.get(account);
  if (known) return known;
  const nothing = { installed: new Set<string>(), seen: new Map<string, Millis>() };
  recorded.set(account, nothing);
  return nothing;
}

/** Records that the script is installed on the pages of a host, whether the host is enabled or not. */
export async function recordHostInstalled(ctx: Context, account: PublishedAccount, host: string): Promise<void> {
  const url = account.urls.get(host);
  const { installed } = recordedFor(account);
  if (!url || url.installed_at !== null || installed.has(host) || ctx.app.disk.isFull) return;
  await ctx.transaction((ctx) =>
    ctx.db
      .updateTable('urls')
      .set({ installed_at: ctx.now() })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', url.id)
      .where('installed_at', 'is', null)
      .execute(),
  );
  installed.add(host);
}

/** Records that a profile was identified on a host, once a minute. */
export async function recordHostSeen(ctx: Context, account: PublishedAccount, host: string): Promise<void> {
  const url = account.urls.get(host);
  const now = ctx.now();
  const { seen } = recordedFor(account);
  if ((!url && !isLoopback(host)) || ctx.app.disk.isFull) return;
  // The local machine has any number of names, and a page may invent them: all of them count as one.
  const name = url ? host : LOCAL;
  const last = Math.max(seen.get(name) ?? 0, url?.last_seen_at ?? 0);
  if (isRecent(last, now, SEEN_INTERVAL_MS)) return;
  seen.set(name, now);
  if (!url) return recordLocalHostSeen(ctx, host, now);
  await ctx.transaction((ctx) =>
    ctx.db
      .updateTable('urls')
      .set((eb) => ({
        installed_at: eb.fn.coalesce('installed_at', eb.val(now)),
        first_seen_at: eb.fn.coalesce('first_seen_at', eb.val(now)),
        last_seen_at: now,
      }))
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', url.id)
      .where((eb) =>
        eb.or([
          eb('last_seen_at', 'is', null),
          eb('last_seen_at', '<', now),
          eb('last_seen_at', '>', now + MAX_CLOCK_SKEW_MS),
        ]),
      )
      .execute(),
  );
}

/** A host of the local machine has no Url until a domain is added. */
async function recordLocalHostSeen(ctx: Context, host: string, now: Millis): Promise<void> {
  const seen = { local_host: host, local_last_seen_at: now };
  await ctx.transaction((ctx) =>
    ctx.db
      .insertInto('account_installations')
      .values({ account_id: ctx.account.id, ...seen, local_first_seen_at: now })
      .onConflict((conflict) =>
        conflict.column('account_id').doUpdateSet((eb) => ({
          ...seen,
          local_first_seen_at: eb.fn.coalesce('account_installations.local_first_seen_at', eb.val(now)),
        })),
      )
      .execute(),
  );
}
