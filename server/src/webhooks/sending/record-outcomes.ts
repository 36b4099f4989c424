import { type Millis, nextAttemptDelay } from '@usher/domain';
import type { Context } from '../../context.ts';
import { bumpPublishedVersion } from '../../published/bump-published-version.ts';
import { type ItemRow, updateRow, type WebhookRow } from '../queries.ts';
import { itemsNamed } from './claim-items.ts';
import { errorOf, type Outcome, wasSent } from './outcome.ts';

/** A webhook that has only failed for so long is disabled. */
const FAILS_FOR: Millis = 5 * 24 * 60 * 60_000;

/** An item after an attempt to send it. */
export interface Ended {
  item: ItemRow;
  /** When it began. */
  at: Millis;
  /** Nothing where there is nothing to tell any more. */
  outcome: Outcome | undefined;
}
type Tried = Ended & { outcome: Outcome };

/**
 * In a transaction that holds the webhook: writes down what became of its items. One that is not there any more was of
 * a user who has been forgotten since then: nothing is written of it. Gives those whose attempt is still to be noted.
 */
export async function recordOutcomes(ctx: Context, webhook: WebhookRow, ended: readonly Ended[]): Promise<Tried[]> {
  const gone = ended.filter(({ outcome }) => outcome === undefined);
  const good = ended.filter((one): one is Tried => one.outcome !== undefined && wasSent(one.outcome));
  const bad = ended.filter((one): one is Tried => one.outcome !== undefined && !wasSent(one.outcome));
  const known = new Set([
    ...(good.length > 0 ? await settleSent(ctx, webhook.id, good) : []),
    ...(bad.length > 0 ? await settleFailed(ctx, webhook.id, bad) : []),
  ]);
  await wakeNext(ctx, webhook.id, [...gone, ...good, ...bad.filter(({ item }) => later(ctx, item).next_at === null)]);
  if (gone.length > 0) await deleteItems(ctx, webhook.id, gone);
  return ended.filter((one): one is Tried => known.has(one.item.id));
}

/** The IDs of those that are still there. */
async function settleSent(ctx: Context, webhookId: string, good: readonly Tried[]): Promise<string[]> {
  const rows = await itemsNamed(ctx, webhookId, idsOf(good))
    .set((eb) => ({ state: 'sent', next_at: null, attempts: eb('attempts', '+', 1) }))
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** The same. Where the lease is over, whoever has the item now decides when it is sent again. */
async function settleFailed(ctx: Context, webhookId: string, bad: readonly Tried[]): Promise<string[]> {
  const rows = await holdItems(ctx, webhookId, bad);
  for (const { item } of bad)
    if (rows.get(item.id)?.next_at === item.next_at)
      await itemsNamed(ctx, webhookId, [item.id]).set(later(ctx, item)).execute();
  return [...rows.keys()];
}

function later(ctx: Context, { attempts: before }: ItemRow) {
  const attempts = before + 1;
  const pause = nextAttemptDelay(attempts);
  return pause === undefined
    ? ({ attempts, state: 'failed', next_at: null } as const)
    : { attempts, next_at: ctx.now() + pause };
}

async function holdItems(ctx: Context, webhookId: string, ended: readonly Ended[]): Promise<Map<string, ItemRow>> {
  const query = ctx.db
    .selectFrom('outbox')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('webhook_id', '=', webhookId)
    .where('id', 'in', idsOf(ended))
    .orderBy('id');
  return new Map((await ctx.dialect.lockRows(query).execute()).map((row) => [row.id, row]));
}

async function deleteItems(ctx: Context, webhookId: string, items: readonly Ended[]): Promise<void> {
  await ctx.db
    .deleteFrom('outbox')
    .where('account_id', '=', ctx.account.id)
    .where('webhook_id', '=', webhookId)
    .where('id', 'in', idsOf(items))
    .execute();
}

/** What comes next of the same users need not wait any longer for what is over. */
async function wakeNext(ctx: Context, webhookId: string, over: readonly Ended[]): Promise<void> {
  const ofUsers = over.filter(({ item }) => item.profile_id !== null);
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
        .selectFrom('outbox as over')
        .select((eb) =>
          eb
            .selectFrom('outbox as next')
            .select('next.id')
            .where('next.account_id', '=', ctx.account.id)
            .where('next.webhook_id', '=', webhookId)
            .whereRef('next.profile_id', '=', 'over.profile_id')
            .whereRef('next.id', '>', 'over.id')
            .orderBy('next.id')
            .limit(1)
            .as('id'),
        )
        .where('over.account_id', '=', ctx.account.id)
        .where('over.webhook_id', '=', webhookId)
        .where('over.id', 'in', idsOf(ofUsers)),
    )
    .execute();
}

/** Last in its transaction: attempts take their place in their list from the clock. */
export async function recordAttempts(ctx: Context, webhook: WebhookRow, tried: readonly Tried[]): Promise<void> {
  if (tried.length === 0) return;
  const clock = await ctx.clock();
  const attempts = tried.map(({ item, at, outcome }) => ({
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

  const { item, at, outcome } = tried.at(-1) as Tried;
  const good = wasSent(outcome);
  const goodBefore = tried.some((one) => wasSent(one.outcome));
  const failing_since = good ? null : goodBefore ? at : (webhook.failing_since ?? at);
  const disabled = failing_since !== null && at - failing_since >= FAILS_FOR;
  if (disabled) await bumpPublishedVersion(ctx);
  const failed = later(ctx, item).state ?? 'failing';
  await updateRow(ctx, webhook.id)
    .set({
      failing_since,
      last_item_at: at,
      last_item_state: disabled ? 'disabled' : good ? 'sent' : failed,
      last_item_error: good ? null : errorOf(outcome),
      ...(disabled && { enabled: false }),
    })
    .execute();
}

function idsOf(ended: readonly Ended[]): string[] {
  return ended.map(({ item }) => item.id);
}
