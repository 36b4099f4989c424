import type { Step } from './document.ts';

/** Whether a trigger of a step needs an element of the page. */
export function waitsForElement({ step_trigger, secondary_trigger }: Step): boolean {
  return step_trigger !== 'page_load' || /^(click|hover|input)$/.test(secondary_trigger ?? '');
}
