import { describe } from './describe.ts';
import type { PickInfo } from './exchange.ts';

/** Rows of lists and tables, whose places change. */
const ROWS = 'tr,li,[role=row],[role=listitem],[role=option],[aria-rowindex]';

export function nameStep({ experience, step, event_name }: PickInfo): string {
  if (event_name) return `the event “${event_name.name}”`;
  const of = `the ${experience.kind} “${experience.name}”`;
  return step ? `step ${step.number}${step.title ? ` “${step.title}”` : ''} of ${of}` : of;
}

/**
 * Names the administrator who made the pick, and the server. The address is the one that the script uses, and not one
 * from a link.
 */
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
