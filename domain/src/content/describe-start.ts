import { kinds } from '../kinds/kinds.ts';
import type { Document, Step } from './experience.ts';

type Trigger = NonNullable<Step['secondary_trigger']>;

const elementConditions: Partial<Record<Step['step_trigger'], string>> = {
  element_match: 'its element is on the page',
  element_not_match: 'its element is gone from the page',
};

/** Says what the first step waits for on a page, as a sentence for administrators; null if it waits for nothing. */
export function describeStart({ kind, steps }: Document): string | null {
  const [step] = steps;
  if (!step) return null;
  // Click and hover open a hint. Its place in the page does not wait for them.
  const isOpener = kinds[kind].place === 'element' && /^(click|hover)$/.test(step.secondary_trigger ?? '');
  const conditions = [
    elementConditions[step.step_trigger],
    step.secondary_trigger && !isOpener ? describeTrigger(step.secondary_trigger, step) : undefined,
    step.trigger_delay && step.secondary_trigger !== 'smart_delay' ? formatDelay(step.trigger_delay) : undefined,
  ].filter((condition) => condition !== undefined);
  return conditions.length === 0 ? null : `It waits until ${conditions.join(', then until ')}`;
}

function describeTrigger(trigger: Trigger, step: Step): string | undefined {
  const { trigger_delay, trigger_scroll_percent, elements } = step;
  const of = elements.length > 0 ? 'what its element scrolls in' : 'the page';
  const texts: Record<Trigger, string | undefined> = {
    click: 'they click its element',
    hover: 'they point at its element',
    input: 'they type into its element',
    time_on_page: undefined,
    smart_delay: `they pause for ${trigger_delay ?? 0} seconds`,
    exit_intent: 'they are about to leave the page',
    scroll_percent: `they have scrolled ${trigger_scroll_percent ?? 100} % of ${of}`,
    custom_trigger: 'its code returns true',
  };
  return texts[trigger];
}

function formatDelay(seconds: number): string {
  return seconds === 1 ? '1 second has passed' : `${seconds} seconds have passed`;
}
