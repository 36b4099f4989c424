import { describe } from './describe.ts';
import type { PickInfo } from './exchange.ts';

/** Elements that a page lists, so that the place of one changes. */
const ROWS = 'tr,li,[role=row],[role=listitem],[role=option],[aria-rowindex]';

export function nameStep({ experience, step }: PickInfo): string {
  const of = `the ${experience.kind} “${experience.name}”`;
  return step ? `step ${step.number}${step.title ? ` “${step.title}”` : ''} of ${of}` : of;
}

/** Who has made the pick, and on which server. The address is the one that the script talks to, and not one from a link. */
export function nameMaker({ administrator, account }: PickInfo, url = ''): string {
  const { host } = new URL(url, location.href);
  return `Asked for by ${administrator.name || 'an administrator'} (${account.name}) on ${host}`;
}

/** Why an element that is known only by its place needs a decision. `around` is a better element around it, if there is one. */
export function describeDoubt(element: Element, around: Element | undefined): string {
  const why = element.closest(ROWS)
    ? 'It is in a row: when rows are sorted or filtered, another one is in its place.'
    : 'It breaks when the page changes.';
  return `${why}${around ? ` The element around it can be found again: ${describe(around)}.` : ''}`;
}
