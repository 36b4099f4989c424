import { findSyntaxProblem } from '../../../fields/selector-syntax.ts';
import * as text from '../../../messages/text.ts';
import type { Words } from './describe-candidate.ts';

const { words } = text.pick;

/**
 * Matches selectors that count elements, or go down from one element to the next. A selector without any name is
 * positional too: it finds the first element of a kind.
 */
const POSITIONAL = /:nth-|:(first|last|only)-|>[^>]*>[^>]*>/;
/**
 * Matches names that styling tools and frameworks generate: `css-1q2w3e`, `sc-aXbYcZ`, `Button_root__x7Yz1`, `:r1a:`,
 * `ember42`, long hex.
 */
const GENERATED =
  /[.#](css|sc|jsx|emotion|chakra|mui)-[\w-]*\d|[.#][\w-]+__[\w-]*[A-Z\d][\w-]{3,}|\\:r\w+\\:|[.#](ember|radix|headlessui)[\w-]*\d|[\da-f]{8,}/;
/** Matches an ID, or an attribute that developers set. */
const NAMED = /#[\w-]|\[(data-[\w-]+|name|id)[~^$*|]?=/;

type SelectorCheck = { problem: string } | { problem?: undefined; words: Words };

/** Checks a selector while somebody types: whether it is valid, and how stable it is. Undefined if nothing is typed. */
export function checkSelector(typed: string, findProblem = findSyntaxProblem): SelectorCheck | undefined {
  const selector = typed.trim();
  if (selector === '') return undefined;
  const problem = findProblem(selector);
  if (problem !== undefined) return { problem };
  return { words: rateSelector(selector) };
}

function rateSelector(selector: string): Words {
  if (GENERATED.test(selector)) return { ...words.generated, tone: 'bad' };
  if (POSITIONAL.test(selector) || !/[.#[]/.test(selector)) return { ...words.positional, tone: 'bad' };
  return NAMED.test(selector) ? { ...words.lasting, tone: 'good' } : { ...words.likely, tone: 'accent' };
}

/** A line for the console of the page, which says how many elements match. */
export function countCommand(selector: string): string {
  return `document.querySelectorAll(${JSON.stringify(selector.trim())}).length`;
}
