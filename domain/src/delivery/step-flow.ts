import type { Millis } from '../basics/time.ts';

/*
 * How users go through the steps of an Experience: from which step they went on, went back, snoozed or closed it, and after how long.
 */

/** The step that a user sees, and since when; null before the first one. */
export interface CurrentStep {
  current_step_id: string | null;
  current_step_at: Millis | null;
}
export const noStep: CurrentStep = { current_step_id: null, current_step_at: null };

/** What a user did on a step. It counts for the day on which they saw the step. */
export interface StepActivity {
  what: 'next' | 'back' | 'exited' | 'snoozed';
  part_id: string;
  /** How long the step was there, if that is known. */
  seconds?: number | undefined;
}

interface Seen {
  /** When it happened, by the clock of the server. */
  at: Millis;
  /** The step that is seen now. */
  step: string | undefined;
  /** How the showing has ended with this report. */
  end: 'completed' | 'exited' | 'snoozed' | undefined;
  isAfter(step: string, other: string): boolean;
}

/** Follows a user to the next step. A report that is repeated or comes late is from before the current step, and changes nothing. */
export function followSteps(
  before: CurrentStep,
  { at, step, end, isAfter }: Seen,
): { after: CurrentStep; done: StepActivity[] } {
  const done: StepActivity[] = [];
  let { current_step_id: current, current_step_at: since } = before;
  const leave = (what: StepActivity['what']) => {
    if (current !== null) done.push({ what, part_id: current, seconds: secondsBetween(since, at) });
  };
  if (step !== undefined && step !== current && (since === null || at > since)) {
    leave('next');
    if (current !== null && isAfter(current, step)) done.push({ what: 'back', part_id: current });
    [current, since] = [step, at];
  }
  if (end !== undefined) leave(end === 'completed' ? 'next' : end);
  return { after: { current_step_id: current, current_step_at: since }, done };
}

/** Nobody reads a step for longer. */
const MAX_SECONDS = 24 * 60 * 60;

/** Two reports of one moment do not say how long the step was there. */
function secondsBetween(since: Millis | null, at: Millis): number | undefined {
  if (since === null || at <= since) return undefined;
  return roundSeconds((at - since) / 1000);
}

/**
 * Two digits are exact enough to be read, and the median of rounded times is the rounded median. So a step has a few hundred different
 * times at most, however many users see it.
 */
export function roundSeconds(seconds: number): number {
  const whole = Math.min(Math.max(Math.round(seconds), 1), MAX_SECONDS);
  const unit = 10 ** Math.max(0, String(whole).length - 2);
  return Math.round(whole / unit) * unit;
}

interface Counted {
  value: number;
  count: number;
}

/** The middle one of counted values; of an even number, the lower one. Null without any. */
export function medianOf(counts: readonly Counted[]): number | null {
  return quantileOf(counts, 0.5);
}

/** The lowest value that is not exceeded by this share of counted values. Null without any. */
export function quantileOf(counts: readonly Counted[], share: number): number | null {
  const sorted = counts.filter(({ count }) => count > 0).toSorted((one, other) => one.value - other.value);
  const wanted = sorted.reduce((sum, { count }) => sum + count, 0) * share;
  let passed = 0;
  for (const { value, count } of sorted) {
    passed += count;
    if (passed >= wanted) return value;
  }
  return null;
}
