import type { Millis } from '@usher/domain';
import type { Context } from '../../context.ts';
import { BLOCKED, type ItemRow } from '../queries.ts';

/** Longer than a request can take: what is not settled by then was in the hands of a process that is gone. */
const LEASE_MS: Millis = 30_000;
/** More than are sent at once, as some of them may have to wait. */
const LOOKED_AT = 64;

export interface Claimed {
  items: ItemRow[];
  /** Whether there may be more that is due. */
  more: boolean;
}

/**
 * In a transaction that holds the webhook: takes items that are due, until the lease ends. What a user did is told in
 * its order: an item of which an earlier one is still to be told is put behind that, and not looked at before its turn.
 */
export async function claimItems(
  ctx: Context,
  webhookId: string,
  { most, except }: { most: number; except: ReadonlySet<string> },
): Promise<Claimed> {
  const now = ctx.now();
  const until = now + LEASE_MS;
  const found = await ctx.dialect.lockRowsSkipLocked(dueItems(ctx, webhookId, now)).execute();
  const items: ItemRow[] = [];
  const leased: string[] = [];
  const behind: string[] = [];
  for (const { previous_at, ...item } of found) {
    if (previous_at !== null) behind.push(item.id);
    else if (except.has(item.id)) leased.push(item.id);
    else if (items.length < most) items.push({ ...item, next_at: until });
  }
  leased.push(...items.map(({ id }) => id));
  if (leased.length > 0) await itemsNamed(ctx, webhookId, leased).set({ next_at: until }).execute();
  if (behind.length > 0) await itemsNamed(ctx, webhookId, behind).set({ next_at: BLOCKED }).execute();
  return { items, more: found.length === LOOKED_AT };
}

/**
 * With the time of the item before of the same user, where that is still to be told: they are told in their order, so
 * those before it are not. By one column alone, as the index has it.
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
    .limit(LOOKED_AT);
}

/** To be changed. */
export function itemsNamed(ctx: Context, webhookId: string, ids: readonly string[]) {
  return ctx.db
    .updateTable('outbox')
    .where('account_id', '=', ctx.account.id)
    .where('webhook_id', '=', webhookId)
    .where('id', 'in', ids);
}
