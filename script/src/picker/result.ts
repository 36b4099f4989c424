import { rectOf } from '../page/place.ts';
import type { PickResult } from './exchange.ts';
import { parentOf } from './neighbors.ts';
import { type Candidate, isDurable, suggest, toDescription } from './selectors/suggest.ts';
import { drawSketch } from './sketch.ts';
import { drawWireframe, round } from './wireframe.ts';

const MAX_CANDIDATES = 10;

/**
 * Describes a picked element for the editor. Undefined if no description finds it. A description that the administrator
 * has written comes first.
 */
export function createResult(element: Element, own: Candidate[] = []): PickResult | undefined {
  const { candidates: all, attribute } = suggest(element);
  const candidates = [...own, ...all].slice(0, MAX_CANDIDATES);
  // A description by position breaks first, so it is used only if there is no other.
  const durable = candidates.filter(isDurable);
  const elements = (durable[0] ? durable : candidates).map(toDescription);
  if (!elements[0]) return undefined;
  const language = languageOf(element);
  return {
    elements,
    candidates,
    attribute,
    ...(language && { language }),
    box: round(rectOf(element)),
    wireframe: drawWireframe(element),
    sketch: drawSketch(element),
  };
}

/** The language that the page declares for an element, if it is a language tag. */
function languageOf(element: Element): string | undefined {
  const { value } = element.closest('[lang]')?.attributes.getNamedItem('lang') ?? {};
  return value && /^[a-z\d-]{2,35}$/i.test(value) ? value : undefined;
}

/** Finds the closest element around that is described by more than its place. */
export function findDurableAround(element: Element): Element | undefined {
  const outer = parentOf(element);
  return outer && (suggest(outer).candidates.some(isDurable) ? outer : findDurableAround(outer));
}
