import type { PageStep } from '../kind.ts';

/** What has to hold before a step shows. */
export interface Needs {
  /** An element of the step must be there: to stand beside, or because its coming is the trigger. */
  element: boolean;
  /** Once it shows: whether it stands beside the element, and goes with it. */
  target: boolean;
  /** No element of the step may be there. */
  noElement: boolean;
  /** What the user has to do first. */
  event?: 'click' | 'hover' | 'input';
  /** How long nothing may happen first, in milliseconds. */
  idle?: number;
  /** How long to wait then, in milliseconds. */
  delay: number;
  /** Code has to agree. */
  code?: string;
  /** It never shows: code would have to agree that is not there. */
  never: boolean;
}

const CALM = 3;

export function needsOf(step: PageStep): Needs {
  const { step_trigger, secondary_trigger, trigger_delay, custom_trigger, position_type, elements = [] } = step;
  const noElement = step_trigger === 'element_not_match';
  const isEvent = secondary_trigger === 'click' || secondary_trigger === 'hover' || secondary_trigger === 'input';
  const isIdle = secondary_trigger === 'smart_delay';
  const some = elements.length > 0;
  const target = (position_type ?? 'relative_to_screen') !== 'relative_to_screen' && !noElement && (some || isEvent);
  return {
    target,
    element: some && (target || step_trigger === 'element_match'),
    noElement,
    ...(isEvent && { event: secondary_trigger }),
    ...(isIdle && { idle: (trigger_delay ?? CALM) * 1000 }),
    delay: isIdle ? 0 : (trigger_delay ?? 0) * 1000,
    ...(secondary_trigger === 'custom_trigger' && custom_trigger && { code: custom_trigger }),
    never: secondary_trigger === 'custom_trigger' && !custom_trigger,
  };
}
