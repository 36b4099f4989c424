import type { Reason } from '../kind.ts';
import type { Conditions } from './trigger.ts';

/**
 * The inputs that decide whether a step can show: its conditions, what has happened to it, and the current state of the
 * page.
 */
export interface StepInputs<Target> extends Pick<Conditions, 'element' | 'target' | 'noElement' | 'event'> {
  /** Whether the step shows without its triggers and elements, because code of the page or a Delivery requested it. */
  skipTriggers: boolean | undefined;
  /** Whether the page is one of the step's pages. Undefined while the code that reads URL patterns is being loaded. */
  isPage?: boolean | undefined;
  /** Whether the user has done what the step waits for, or it waits for nothing. */
  isTriggered?: boolean | undefined;
  /** Whether the step waits for hooks of the page that are running. */
  isPreparing?: boolean;
  /** Whether the step waits for an event that has not come. */
  isAwaited?: boolean;
  isShown?: boolean;
  /** The element that the step is at, was at, or was triggered by. */
  lastTarget: Target | null;
  /** Whether the step has been at an element. */
  wasPlaced?: boolean;
  /* These functions search the page, which takes time. They are called only if the other fields do not decide. */
  hasModal(): boolean;
  isThere(target: Target): boolean;
  isCovered(target: Target): boolean;
  find(): { element: Target } | { reason: Reason };
}

/** Returns the target of a step that can show, null if it shows without one, or why it cannot show. `pending` is not a problem. */
export function stepState<Target extends object>(inputs: StepInputs<Target>): Target | null | Reason | 'pending' {
  const { lastTarget, event, isPage, isTriggered, noElement, skipTriggers, target: isPlaced } = inputs;
  const coveredOr = (target: Target) => (inputs.isCovered(target) ? 'covered' : target);
  if (!isPage) return isPage === undefined ? 'pending' : 'url';
  if (inputs.isPreparing || inputs.isAwaited) return 'pending';
  if (!isPlaced) {
    // While the page has a modal dialog, only a step at an element inside of the dialog can be used.
    if (inputs.hasModal()) return 'covered';
    if (inputs.isShown) return lastTarget;
  }
  if (event) {
    if (!isTriggered || !isPlaced) return null;
    if (lastTarget && inputs.isThere(lastTarget)) return coveredOr(lastTarget);
  }
  if (!inputs.element && !noElement) return event ? 'not_found' : null;
  const result = inputs.find();
  if (noElement) return 'element' in result && !skipTriggers ? 'pending' : null;
  // A step that has been at its element waits until the element is back.
  if ('reason' in result) return skipTriggers && !inputs.wasPlaced ? null : result.reason;
  return isPlaced ? coveredOr(result.element) : null;
}
