import { formatNumber } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import type { Tone } from '../../../ui/badge.tsx';
import type { Candidate, PickedElement, PickResult } from './pick-api.ts';

export interface Words {
  name: string;
  help: string;
  tone: Tone;
}

const { words } = text.pick;
/** Authored IDs and attributes for tests have at least this score. */
const LASTING_SCORE = 60;

/** What the score of a candidate means for the person who chooses. */
export function describeCandidate({ kind, score }: Pick<Candidate, 'kind' | 'score'>): Words {
  if (kind === 'positional') return { ...words.positional, tone: 'bad' };
  if (kind === 'text') return { ...words.text, tone: 'warn' };
  return score >= LASTING_SCORE ? { ...words.lasting, tone: 'good' } : { ...words.likely, tone: 'accent' };
}

export function describeMatches(count: number): string {
  const { none, one, many } = text.pick.matches;
  return count === 0 ? none : count === 1 ? one : many(formatNumber(count));
}

/** Two ways to find an element are the same if all their parts are. */
export const keyOf = ({ selector, text, shadow_selector }: PickedElement) =>
  JSON.stringify([selector ?? null, text ?? null, shadow_selector ?? null]);

/** The candidates in their order, each once. Ways that the page suggests but does not rate come last. */
export function candidatesOf({ candidates, elements }: PickResult): Candidate[] {
  const unrated = elements.map((one) => ({ ...one, score: 0, kind: 'positional' as const, matches: 1 }));
  const found = new Map<string, Candidate>();
  for (const one of [...candidates, ...unrated]) if (!found.has(keyOf(one))) found.set(keyOf(one), one);
  return [...found.values()];
}

/** What is chosen at first: what the page suggests. Positional ones only if there is nothing else. */
export function firstChoice(result: PickResult): ReadonlySet<string> {
  const suggested = new Set(result.elements.map(keyOf));
  const all = candidatesOf(result).filter((one) => suggested.has(keyOf(one)));
  const lasting = all.filter(({ kind }) => kind !== 'positional');
  return new Set((lasting.length > 0 ? lasting : all).map(keyOf));
}
