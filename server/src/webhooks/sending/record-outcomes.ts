import { type Millis, nextAttemptDelay } from '@usher/domain';
import type { Context } from '../../context.ts';
import { bumpPublishedVersion } from '../../published/bump-published-version.ts';
import { type ItemRow, updateWebhookRow, type WebhookRow } from '../queries.ts';
import { updateItems } from './claim-items.ts';
import { describeFailure, isSuccess, type Outcome } from './outcome.ts';

/** A webhook whose requests have all failed for this long is disabled. */
const DISABLE_AFTER_MS: Millis = 5 * 24 * 60 * 60_000;

/** An item after an attempt to send it. */
export interface FinishedItem {
  item: ItemRow;
  /** The time when the attempt started. */
  at: Millis;
  /** Undefined if there was nothing to send any more. */
  outcome: Outcome | undefined;
}
type AttemptedItem = FinishedItem & { outcome: Outcome };

/**
 * Stores the outcomes of items, in a transaction that has locked the webhook. Nothing is stored of an item that is gone:
 * its user has been forgotten in the meantime. Returns the items whose attempts are still to be recorded.
 */
export async function recordOutcomes(
  ctx: Context,
  webhook: WebhookRow,
  finished: readonly FinishedItem[],
): Promise<AttemptedItem[]> {
  const obsolete = finished.filter(({ outcome }) => outcome === undefined);
  const attempted = finished.filter((one): one is AttemptedItem => one.outcome !== undefined);
  const sent = attempted.filter(({ outcome }) => isSuccess(outcome));
  const failed = attempted.filter(({ outcome }) => !isSuccess(outcome));
  const existing = new Set([
    ...(sent.length > 0 ? await recordSent(ctx, webhook.id, sent) : []),
    ...(failed.length > 0 ? await recordFailed(ctx, webhook.id, failed) : []),
  ]);
  const givenUp = failed.filter(({ item }) => nextAttempt(ctx, item).next_at === null);
  await unblockNext(ctx, webhook.id, [...obsolete, ...sent, ...givenUp]);
  if (obsolete.length > 0) await deleteItems(ctx, webhook.id, obsolete);
  return attempted.filter(({ item }) => existing.has(item.id));
}

/** Returns the IDs of the items that still exist. */
async function recordSent(ctx: Context, webhookId: string, sent: readonly AttemptedItem[]): Promise<string[]> {
  const rows = await updateItems(ctx, webhookId, idsOf(sent))
    .set((eb) => ({ state: 'sent', next_at: null, attempts: eb('attempts', '+', 1) }))
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns the IDs of the items that still exist. If the lease is over, the process that has claimed the item since decides when to retry. */
async function recordFailed(ctx: Context, webhookId: string, failed: readonly AttemptedItem[]): Promise<string[]> {
  const rows = await lockItems(ctx, webhookId, failed);
  for (const { item } of failed)
    if (rows.get(item.id)?.next_at === item.next_at)
      await updateItems(ctx, webhookId, [item.id]).set(nextAttempt(ctx, item)).execute();
  return [...rows.keys()];
}

function nextAttempt(ctx: Context, { attempts: before }: ItemRow) {
  const attempts = before + 1;
  const delay = nextAttemptDelay(attempts);
  return delay === undefined
    ? ({ attempts, state: 'failed', next_at: null } as const)
    : { attempts, next_at: ctx.now() + delay };
}

async function lockItems(
  ctx: Context,
  webhookId: string,
  items: readonly FinishedItem[],
): Promise<Map<string, ItemRow>> {
  const query = ctx.db
    .selectFrom('outbox')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('webhook_id', '=', webhookId)
    .where('id', 'in', idsOf(items))
    .orderBy('id');
  return new Map((await ctx.dialect.lockRows(query).execute()).map((row) => [row.id, row]));
}

async function deleteItems(ctx: Context, webhookId: string, items: readonly FinishedItem[]): Promise<void> {
  await ctx.db
    .deleteFrom('outbox')
    .where('account_id', '=', ctx.account.id)
    .where('webhook_id', '=', webhookId)
    .where('id', 'in', idsOf(items))
    .execute();
}

/** Makes the next item of each user due: nothing blocks it any more. */
async function unblockNext(ctx: Context, webhookId: string, done: readonly FinishedItem[]): Promise<void> {
  const ofUsers = done.filter(({ item }) => item.profile_id !== null);
  if (ofUsers.length === 0) return;
  const now = ctx.now();
  await ctx.db
    .updateTable('outbox')
    .set({ next_at: now })
    .where('account_id', '=', ctx.account.id)
    .where('webhook_id', '=', webhookId)
    .where('next_at', '>', now)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('outbox as done')
        .select((eb) =>
          eb
            .selectFrom('outbox as next')
            .select('next.id')
            .where('next.account_id', '=', ctx.account.id)
            .where('next.webhook_id', '=', webhookId)
            .whereRef('next.profile_id', '=', 'done.profile_id')
            .whereRef('next.id', '>', 'done.id')
            .orderBy('next.id')
            .limit(1)
            .as('id'),
        )
        .where('done.account_id', '=', ctx.account.id)
        .where('done.webhook_id', '=', webhookId)
        .where('done.id', 'in', idsOf(ofUsers)),
    )
    .execute();
}

/** Must come last in its transaction, because the IDs of attempts come from the account clock. */
export async function recordAttempts(
  ctx: Context,
  webhook: WebhookRow,
  attempted: readonly AttemptedItem[],
): Promise<void> {
  const last = attempted.at(-1);
  if (!last) return;
  const clock = await ctx.clock();
  const attempts = attempted.map(({ item, at, outcome }) => ({
    account_id: ctx.account.id,
    id: clock.newRow().id,
    webhook_id: webhook.id,
    item_id: item.id,
    profile_id: item.profile_id,
    kind: item.kind,
    at,
    ms: outcome.ms,
    ...('error' in outcome ? { error: outcome.error } : { status: outcome.status, answer: outcome.answer }),
  }));
  await ctx.db.insertInto('webhook_attempts').values(attempts).execute();

  const { item, at, outcome } = last;
  const success = isSuccess(outcome);
  const hadSuccess = attempted.some((one) => isSuccess(one.outcome));
  const failing_since = success ? null : hadSuccess ? at : (webhook.failing_since ?? at);
  const disabled = failing_since !== null && at - failing_since >= DISABLE_AFTER_MS;
  if (disabled) await bumpPublishedVersion(ctx);
  const failedState = nextAttempt(ctx, item).state ?? 'failing';
  await updateWebhookRow(ctx, webhook.id)
    .set({
      failing_since,
      last_item_at: at,
      last_item_state: disabled ? 'disabled' : success ? 'sent' : failedState,
      last_item_error: success ? null : describeFailure(outcome),
      ...(disabled && { enabled: false }),
    })
    .execute();
}

function idsOf(finished: readonly FinishedItem[]): string[] {
  return finished.map(({ item }) => item.id);
}
