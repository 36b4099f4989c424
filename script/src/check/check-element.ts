import { find, findAll, isCovered, isRendered, isVisible } from '../page/find.ts';
import { rectOf } from '../page/place.ts';
import { describe } from '../picker/describe.ts';
import { isDurable, suggest, toDescription } from '../picker/selectors/suggest.ts';
import type { PageElement } from '../wire.ts';
import type { CheckResult, ElementToCheck, PageBox } from './check-result.ts';
import { findCertain } from './find-certain.ts';

/** Checks an element with the search that pages of users do. */
export function checkElement({ elements, isInline }: ElementToCheck): CheckResult {
  const isUsable = isInline ? isRendered : isVisible;
  const result = find(elements, undefined, isUsable);
  const propose = (element: Element | undefined) => ({ ...(element && proposalFor(element, elements)) });
  if ('reason' in result)
    return {
      state: 'missing',
      reason: result.reason as NonNullable<CheckResult['reason']>,
      ...propose(findCertain(elements, isUsable)),
    };
  const { element } = result;
  const matches = elements.map((description) => findAll(description).elements.filter(isUsable));
  const unique = matches.map((found) => (found.length === 1 ? found[0] : undefined));
  const by = unique.indexOf(element);
  // A step comes into view before it shows.
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  const known = { element: describe(element), box: toBox(element) };
  if (isCovered(element)) return { state: 'covered', ...known };
  if (by < 0 || unique.some((other) => other && other !== element)) return { state: 'several', ...known };
  const lost = [...matches.keys()].filter((at) => !matches[at]?.includes(element));
  if (elements.every((one, at) => lost.includes(at) || isPlace(one))) return { state: 'by_place', by, lost, ...known };
  if (lost.length === 0) return { state: 'found', by, ...known };
  const certain = findCertain(elements, isUsable);
  return { state: 'fallback', by, lost, ...known, ...propose(certain === element ? element : undefined) };
}

/** Whether a description is of a place, which another element may take. */
function isPlace({ selector = '', text, shadow_selector = '' }: PageElement): boolean {
  return !text && /:(nth|first|last|only)-/.test(selector + shadow_selector);
}

/** Suggests descriptions as a pick does. They are left out if there is none that lasts, or if they are the same as before. */
function proposalFor(element: Element, elements: readonly PageElement[]): Pick<CheckResult, 'proposal'> {
  const proposal = suggest(element).candidates.filter(isDurable).map(toDescription);
  const isNew = JSON.stringify(proposal) !== JSON.stringify(elements.map(toDescription));
  return proposal.length > 0 && isNew ? { proposal } : {};
}

function toBox(element: Element): PageBox {
  const { x, y, width, height } = rectOf(element);
  return { x, y, width, height };
}
