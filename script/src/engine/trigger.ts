import type { PageStep } from '../wire.ts';

/** The conditions for a step to show. */
export interface Conditions {
  /** Whether an element of the step must be on the page, because the step is placed beside it or is triggered by it. */
  element: boolean;
  /** Whether the step is placed beside its element, and disappears with it. */
  target: boolean;
  /** Whether the step shows only if none of its elements is on the page. */
  noElement: boolean;
  /** What the user must do first. */
  event: 'click' | 'hover' | 'input' | undefined;
  /** Milliseconds without any input of the user. */
  idleMs: number | undefined;
  /** Whether the user must be about to leave the page. */
  isExit: boolean | undefined;
  /** How much of the page, or of the scroll container of its element, the user must have scrolled. */
  scrollPercent: number | undefined;
  /** Milliseconds to wait after the other triggers. */
  delayMs: number;
  /** Code of the author that must return true. Empty code never returns true. */
  code: string | undefined;
}

const IDLE_SECONDS = 3;

export function conditionsOf(step: PageStep): Conditions {
  const { step_trigger, secondary_trigger, trigger_delay, custom_trigger, position_type, elements = [] } = step;
  const isScroll = secondary_trigger === 'scroll_percent';
  const noElement = step_trigger === 'element_not_match';
  const event = (['click', 'hover', 'input'] as const).find((name) => name === secondary_trigger);
  const isIdle = secondary_trigger === 'smart_delay';
  const hasElements = elements.length > 0;
  const isPlaced = (position_type ?? 'relative_to_screen') !== 'relative_to_screen';
  const target = isPlaced && !noElement && (hasElements || !!event);
  return {
    target,
    element: hasElements && (target || isScroll || step_trigger === 'element_match'),
    noElement,
    event,
    idleMs: isIdle ? (trigger_delay ?? IDLE_SECONDS) * 1000 : undefined,
    isExit: secondary_trigger === 'exit_intent' || undefined,
    scrollPercent: isScroll ? (step.trigger_scroll_percent ?? 100) : undefined,
    delayMs: isIdle ? 0 : (trigger_delay ?? 0) * 1000,
    code: secondary_trigger === 'custom_trigger' ? (custom_trigger ?? '') : undefined,
  };
}
