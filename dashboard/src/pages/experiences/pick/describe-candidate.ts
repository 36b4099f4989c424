import { formatNumber } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import type { Candidate, PickedElement, PickResult } from '../../../picks/pick-api.ts';
import type { Tone } from '../../../ui/badge.tsx';
import type { PickTarget } from './pick-target.ts';

export interface Words {
  name: string;
  help: string;
  tone: Tone;
}

const { words } = text.pick;
/** IDs that developers wrote, and attributes for tests, have at least this score. */
const LASTING_SCORE = 60;

/** What the score of a candidate means for the person who chooses. The language is that of the page. */
export function describeCandidate({ kind, score }: Pick<Candidate, 'kind' | 'score'>, language?: string): Words {
  if (kind === 'positional') return { ...words.positional, tone: 'bad' };
  if (kind === 'text') return { ...words.text, name: words.text.name(nameOfLanguage(language)), tone: 'warn' };
  return score >= LASTING_SCORE ? { ...words.lasting, tone: 'good' } : { ...words.likely, tone: 'accent' };
}

/** The page sends the language tag, so it may be invalid. An invalid tag has no name. */
function nameOfLanguage(tag: string | undefined): string | undefined {
  try {
    const name = tag && new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }).of(tag);
    return name || undefined;
  } catch {
    return undefined;
  }
}

export function describeMatches(count: number): string {
  const { none, one, many } = text.pick.matches;
  return count === 0 ? none : count === 1 ? one : many(formatNumber(count));
}

/** Identifies a way to find an element: two ways are the same if all their parts are. */
export const keyOf = ({ selector, text, shadow_selector }: PickedElement) =>
  JSON.stringify([selector ?? null, text ?? null, shadow_selector ?? null]);

/**
 * The candidates in their order, each once. Ways that the page suggests without a score come last. If the target holds
 * only selectors, other candidates are left out.
 */
export function candidatesOf(
  { candidates, elements }: PickResult,
  holds: PickTarget['holds'] = 'several',
): Candidate[] {
  const unrated = elements.map((one) => ({ ...one, score: 0, kind: 'positional' as const, matches: 1 }));
  const found = new Map<string, Candidate>();
  for (const one of [...candidates, ...unrated]) if (!found.has(keyOf(one))) found.set(keyOf(one), one);
  const all = [...found.values()];
  return holds === 'selector' ? all.filter(isSelector) : all;
}

const isSelector = ({ selector, text, shadow_selector }: PickedElement) =>
  selector !== undefined && text === undefined && shadow_selector === undefined;

/** The initial choice: the ways that the page suggests. Positional ones are chosen only if there is nothing else. */
export function firstChoice(result: PickResult, holds: PickTarget['holds'] = 'several'): ReadonlySet<string> {
  const suggested = new Set(result.elements.map(keyOf));
  const possible = candidatesOf(result, holds);
  const suggestions = possible.filter((one) => suggested.has(keyOf(one)));
  const all = suggestions.length > 0 ? suggestions : possible;
  const lasting = all.filter(({ kind }) => kind !== 'positional');
  const keys = (lasting.length > 0 ? lasting : all).map(keyOf);
  return new Set(holds === 'several' ? keys : keys.slice(0, 1));
}
