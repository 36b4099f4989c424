import type { Step } from './document.ts';

/** Whether something that a step waits for needs an element of the page. */
export function waitsForElement({ step_trigger, secondary_trigger }: Step): boolean {
  return step_trigger !== 'page_load' || /^(click|hover|input)$/.test(secondary_trigger ?? '');
}
