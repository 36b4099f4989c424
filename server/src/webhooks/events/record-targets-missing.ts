import {
  type Document,
  type ExperienceKind,
  isSubscribedTo,
  type TargetProblem,
  type WebhookPayload,
} from '@usher/domain';
import type { Context } from '../../context.ts';

const kind = 'experience.target_missing';

/**
 * Stores one item per step and subscribed webhook, in the transaction that stores that the steps fail. The item belongs to no
 * user, so it goes to the outbox immediately. If this returns true, call `ctx.app.webhooks.wake` after the commit.
 */
export async function recordTargetsMissing(
  ctx: Context,
  { id, kind: experience_kind, document }: { id: string; kind: ExperienceKind; document: Document },
  missing: readonly { partId: string; problem: TargetProblem }[],
): Promise<boolean> {
  if (missing.length === 0) return false;
  const webhooks = await ctx.db
    .selectFrom('webhooks')
    .select(['id', 'topics', 'experience_ids'])
    .where('account_id', '=', ctx.account.id)
    .where('enabled', '=', true)
    .execute();
  const subscribed = webhooks.filter((webhook) => isSubscribedTo(webhook, { kind, payload: { experience_id: id } }));
  if (subscribed.length === 0) return false;
  const clock = await ctx.clock();
  for (const { partId, problem } of missing) {
    const index = document.steps.findIndex((step) => step.id === partId);
    const preset = document.steps[index]?.preset ?? null;
    const step = index < 0 ? null : { id: partId, index, preset };
    const payload: WebhookPayload = { experience_id: id, experience_kind, step, problem };
    const { account_id, id: itemId, updated_at: next_at } = clock.newRow();
    const item = { account_id, id: itemId, kind, payload: JSON.stringify(payload), next_at } as const;
    await ctx.db
      .insertInto('outbox')
      .values(
        subscribed.map((webhook) => ({ ...item, webhook_id: webhook.id, attempts: 0, state: 'pending' as const })),
      )
      .execute();
  }
  return true;
}
