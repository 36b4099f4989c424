import type { Millis } from '@usher/domain';
import type { Context } from '../../context.ts';
import { BLOCKED, type ItemRow } from '../queries.ts';

/**
 * A lease is longer than a request can take. An item without an outcome by then belonged to a process that was killed.
 */
const LEASE_MS: Millis = 30_000;
/** More items are read than one queue sends at a time, because some of them may be blocked. */
const MAX_DUE_ITEMS = 64;

/**
 * Leases items that are due, in a transaction that has locked the webhook. The items of a user are sent in order: one
 * with an earlier item that is still pending is marked as blocked, and not read again before that one is finished.
 */
export async function claimItems(
  ctx: Context,
  webhookId: string,
  { limit, except }: { limit: number; except: ReadonlySet<string> },
): Promise<{ items: ItemRow[]; more: boolean }> {
  const now = ctx.now();
  const leaseEnd = now + LEASE_MS;
  const due = await ctx.dialect.lockRowsSkipLocked(dueItems(ctx, webhookId, now)).execute();
  const items: ItemRow[] = [];
  const leased: string[] = [];
  const blocked: string[] = [];
  for (const { previous_at, ...item } of due) {
    if (previous_at !== null) blocked.push(item.id);
    else if (except.has(item.id)) leased.push(item.id);
    else if (items.length < limit) items.push({ ...item, next_at: leaseEnd });
  }
  leased.push(...items.map(({ id }) => id));
  if (leased.length > 0) await updateItems(ctx, webhookId, leased).set({ next_at: leaseEnd }).execute();
  if (blocked.length > 0) await updateItems(ctx, webhookId, blocked).set({ next_at: BLOCKED }).execute();
  return { items, more: due.length === MAX_DUE_ITEMS };
}

/**
 * Selects each item with `previous_at`: the time of the user's previous item, if that is pending. Only the previous one
 * matters, because items are finished in order. The order is by one column, as in the index.
 */
function dueItems(ctx: Context, webhookId: string, now: Millis) {
  return ctx.db
    .selectFrom('outbox')
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom('outbox as previous')
        .select('previous.next_at')
        .where('previous.account_id', '=', ctx.account.id)
        .where('previous.webhook_id', '=', webhookId)
        .whereRef('previous.profile_id', '=', 'outbox.profile_id')
        .whereRef('previous.id', '<', 'outbox.id')
        .orderBy('previous.id', 'desc')
        .limit(1)
        .as('previous_at'),
    )
    .where('outbox.account_id', '=', ctx.account.id)
    .where('outbox.webhook_id', '=', webhookId)
    .where('outbox.next_at', '<=', now)
    .orderBy('outbox.next_at')
    .limit(MAX_DUE_ITEMS);
}

export function updateItems(ctx: Context, webhookId: string, ids: readonly string[]) {
  return ctx.db
    .updateTable('outbox')
    .where('account_id', '=', ctx.account.id)
    .where('webhook_id', '=', webhookId)
    .where('id', 'in', ids);
}
