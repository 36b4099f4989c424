import type { TriggeredAlert } from '@usher/domain';
import type { Context } from '../../context.ts';
import { findSubscribers, insertOwnItem } from './own-items.ts';

/**
 * Stores the item of an alert, if `claim` returns true in the same transaction. Without a webhook that subscribes to it, nothing is
 * claimed: the group notifies as soon as there is one. If this returns true, call `ctx.app.webhooks.wake` after the commit.
 */
export async function recordAlert(
  ctx: Context,
  alert: TriggeredAlert,
  claim: () => Promise<boolean>,
): Promise<boolean> {
  const event = { kind: 'alert.triggered', payload: { alert } } as const;
  const webhookIds = await findSubscribers(ctx, event);
  if (webhookIds.length === 0 || !(await claim())) return false;
  await insertOwnItem(ctx, event, webhookIds);
  return true;
}
