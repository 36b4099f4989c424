import type { PageStep } from '../../../../script/src/wire.ts';
import * as text from '../../messages/text.ts';
import { keysOf } from '../../ui/keys-of.ts';

const { tour: texts } = text.home;

/** The elements of the frame that the tour points at. */
const places: Record<keyof typeof texts.steps, Pick<PageStep, 'placement'> & { selector: string }> = {
  rail: { selector: '[data-tour=rail]', placement: 'right' },
  experiences: { selector: '[data-tour=rail] a[href="/app/experiences"]', placement: 'right' },
  environments: { selector: '[data-tour=environments]', placement: 'bottom' },
  search: { selector: '[data-tour=search]', placement: 'bottom' },
  help: { selector: '[data-tour=help]', placement: 'left' },
};

/** The steps whose element is on the page. On a phone, the navigation is behind a button. */
export function findSteps(): PageStep[] {
  const shown = keysOf(places).filter((name) => document.querySelector(places[name].selector)?.checkVisibility());
  return shown.map((name, at) => ({
    id: name,
    title: [texts.steps[name].title],
    body: [['p', texts.steps[name].body]],
    position_type: 'snap_to_element',
    placement: places[name].placement ?? 'auto',
    backdrop: true,
    elements: [{ selector: places[name].selector }],
    buttons: [
      { id: `${name}-next`, text: [at < shown.length - 1 ? texts.next : texts.done], tour_action: 'next' },
      ...(at > 0 ? [{ id: `${name}-back`, text: [texts.back], tour_action: 'previous' as const }] : []),
    ],
  }));
}
