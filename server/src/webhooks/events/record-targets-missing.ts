import type { Document, ExperienceKind, TargetProblem } from '@usher/domain';
import type { Context } from '../../context.ts';
import { findSubscribers, insertOwnItem } from './own-items.ts';

const kind = 'experience.target_missing';

/**
 * Stores one item per step and subscribed webhook, in the transaction that stores that the steps fail. If this returns true, call
 * `ctx.app.webhooks.wake` after the commit.
 */
export async function recordTargetsMissing(
  ctx: Context,
  { id, kind: experience_kind, document }: { id: string; kind: ExperienceKind; document: Document },
  missing: readonly { partId: string; problem: TargetProblem }[],
): Promise<boolean> {
  if (missing.length === 0) return false;
  const webhookIds = await findSubscribers(ctx, { kind, payload: { experience_id: id } });
  if (webhookIds.length === 0) return false;
  for (const { partId, problem } of missing) {
    const index = document.steps.findIndex((step) => step.id === partId);
    const preset = document.steps[index]?.preset ?? null;
    const step = index < 0 ? null : { id: partId, index, preset };
    await insertOwnItem(ctx, { kind, payload: { experience_id: id, experience_kind, step, problem } }, webhookIds);
  }
  return true;
}
