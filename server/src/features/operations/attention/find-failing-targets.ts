import type { AttentionEntry } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { listFailingSteps } from '../../results/failing-steps/list-failing-steps.ts';

/** Finds the live Experiences with a step that fails: one entry for each, with the step that the most people missed. */
export async function findFailingTargets(ctx: Context, limit: number): Promise<AttentionEntry[]> {
  const entries = new Map<string, AttentionEntry>();
  for (const { kind, draft, step } of await listFailingSteps(ctx)) {
    if (entries.size === limit || entries.has(step.experience_id)) continue;
    const index = draft.steps.findIndex(({ id }) => id === step.step_id);
    entries.set(step.experience_id, {
      type: 'target_failing',
      severity: 'error',
      since: step.since,
      count: step.users_count,
      target: { type: kind, id: step.experience_id, name: draft.name },
      step: { ...step, index: index < 0 ? null : index },
    });
  }
  return [...entries.values()];
}
