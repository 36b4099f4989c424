import type { Step } from './document.ts';

/** Whether a step needs an element of the page, wherever it shows: for its trigger or its hotspot. */
export function waitsForElement({ step_trigger, secondary_trigger, hotspot }: Step): boolean {
  return hotspot || step_trigger.startsWith('element') || /^(click|hover|input)$/.test(secondary_trigger ?? '');
}
