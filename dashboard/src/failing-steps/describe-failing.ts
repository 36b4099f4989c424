import * as text from '../messages/text.ts';
import type { FailingStep } from './use-failing-steps.ts';

const texts = text.failingSteps;

/** Describes who did not see a step, and where. Without an index, the draft does not have the step. */
export function describeFailing(step: FailingStep, index: number | null): string {
  const { share, total_users_count: total, path, browser } = step;
  return texts.missed({ subject: nameOf(step, index), share, total, path, browser });
}

function nameOf({ step_id, experience_id }: FailingStep, index: number | null): string {
  if (step_id === experience_id) return texts.launcher;
  return index === null ? texts.removed : texts.step(index + 1);
}
