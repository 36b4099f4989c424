import { findAll, isVisible, normalize, SHADOW_SEPARATOR } from '../page/find.ts';
import type { PageElement } from '../wire.ts';

/*
 * Finds the element that descriptions mean although the page has changed. Descriptions consist of pieces: an ID, a class, an attribute,
 * a text. Another element may have one of them, so two of different kinds must lead to one element, and none to another one. What was
 * described together with an element around it was not the only one of its kind, so such a description counts only as a whole.
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
  const texts = elements.flatMap(({ text }) => text ?? []);
  for (const { kind, description } of elements.flatMap(listPieces)) {
    const [element, ...others] = findAll(description).elements.filter(isUsable);
    if (element && others.length === 0) kinds.set(element, (kinds.get(element) ?? new Set()).add(kind));
  }
  const [[candidate, own] = [], ...others] = kinds;
  if (!candidate || !own || others.length > 0 || own.size < 2) return undefined;
  const says = normalize(candidate.textContent ?? '');
  return texts.length === 0 || texts.some((text) => says.includes(normalize(text))) ? candidate : undefined;
}

/** Lists the pieces of the element itself, without its tag and its place. */
function listPieces(whole: PageElement): Piece[] {
  const { selector = '', text, shadow_selector } = whole;
  const levels = shadow_selector?.split(SHADOW_SEPARATOR) ?? [];
  const own = (levels.pop() ?? selector).trim();
  const last = lastCompoundOf(own);
  // What is in parentheses, as in `:not(.open)`, does not describe the element.
  const css = [...last.replace(opaque, (part) => (part.startsWith('(') ? '' : part)).matchAll(pieces)].map(String);
  const [first] = css.map(kindOf);
  if (last !== own || text) return [{ kind: text ? 'text' : (first ?? 'place'), description: whole }];
  return css.map((piece) => ({
    kind: kindOf(piece),
    description: shadow_selector
      ? { selector, shadow_selector: [...levels, piece].join(SHADOW_SEPARATOR) }
      : { selector: piece },
  }));
}

/** `#`, `.`, or the name of an attribute. */
function kindOf(piece: string): string {
  return /^\[[\w-]+/.exec(piece)?.[0] ?? piece.charAt(0);
}

/** The part of a selector after its last space or sign between two elements. Empty for a list of selectors. */
function lastCompoundOf(selector: string): string {
  const bare = selector.replace(opaque, (part) => '_'.repeat(part.length));
  if (bare.includes(',')) return '';
  return selector.slice(Math.max(...[...bare.matchAll(/[\s>+~]/g)].map(({ index }) => index), -1) + 1);
}
