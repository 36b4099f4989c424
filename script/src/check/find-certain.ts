import { findAll, isInside, isVisible, SHADOW_SEPARATOR } from '../page/find.ts';
import type { PageElement } from '../wire.ts';

/*
 * Finds the element that descriptions mean although the page has changed. Descriptions consist of pieces: an ID, a class, an attribute,
 * a text. Another element may have one of them, so two of different kinds must lead to one element, and none to another one.
 */

/** A part of a description, as a description of its own. */
interface Piece {
  /** Pieces of one kind fail, and mislead, together. */
  kind: string;
  description: PageElement;
}

const identifier = '(?:\\\\.|[\\w-]|[^\\x00-\\x7f])+';
const quoted = `"(?:\\\\.|[^"\\\\])*"|'(?:\\\\.|[^'\\\\])*'`;
const attribute = `\\[(?:${quoted}|[^\\]"'])*\\]`;
const pieces = new RegExp(`#${identifier}|\\.${identifier}|${attribute}`, 'g');
/** Escaped characters, attributes and what is in parentheses: no sign in them separates two elements. */
const opaque = new RegExp(`\\\\.|${attribute}|\\((?:${quoted}|[^()]|\\([^()]*\\))*\\)`, 'g');

export function findCertain(elements: readonly PageElement[], isUsable = isVisible): Element | undefined {
  const kinds = new Map<Element, Set<string>>();
  const add = (element: Element, kind: string) => kinds.set(element, (kinds.get(element) ?? new Set()).add(kind));
  const onlyMatch = (description: PageElement) => {
    const usable = findAll(description).elements.filter(isUsable);
    return usable.length === 1 ? usable[0] : undefined;
  };
  for (const { kind, description } of elements.flatMap(listPieces)) {
    const element = onlyMatch(description);
    if (element) add(element, kind);
  }
  const [[candidate, own] = [], ...others] = kinds;
  if (!candidate || !own || others.length > 0) return undefined;
  const texts = elements.flatMap(({ text }) => (text ? [text] : []));
  // The text is that of the deepest element, which may be inside of the candidate.
  const textElements = texts.map((text) => onlyMatch({ text }));
  if (texts.length > 0 && !textElements.some((element) => element && isInside(element, candidate))) return undefined;
  return own.size + Number(texts.length > 0) > 1 ? candidate : undefined;
}

/** Lists the pieces of the element itself, without those of the elements around it, its tag and its place. */
function listPieces({ selector, shadow_selector }: PageElement): Piece[] {
  const levels = shadow_selector?.split(SHADOW_SEPARATOR) ?? [];
  const own = lastCompoundOf(levels.pop() ?? selector ?? '');
  return [...own.matchAll(pieces)].map(([css]) => ({
    kind: /^\[[\w-]+/.exec(css)?.[0] ?? css.charAt(0),
    description: shadow_selector
      ? { ...(selector && { selector }), shadow_selector: [...levels, css].join(SHADOW_SEPARATOR) }
      : { selector: css },
  }));
}

/** The part of a selector after its last space or sign between two elements. Empty for a list of selectors. */
function lastCompoundOf(selector: string): string {
  const bare = selector.trim().replace(opaque, (part) => '_'.repeat(part.length));
  if (bare.includes(',')) return '';
  const last = selector.trim().slice(Math.max(...[...bare.matchAll(/[\s>+~]/g)].map(({ index }) => index), -1) + 1);
  // What is in parentheses, as in `:not(.open)`, does not describe the element.
  return last.replace(opaque, (part) => (part.startsWith('(') ? '' : part));
}
