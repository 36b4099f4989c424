import type { Sentence } from '@usher/domain/sentences';
import { formatNumber } from '../messages/format.ts';
import * as text from '../messages/text.ts';
import type { Sitting } from './group-sittings.ts';

const { sittings: texts } = text.history;

type Headline = Pick<Sentence, 'text' | 'isText'> & Partial<Sentence>;

/** Sums up a sitting in one sentence, and returns the other sentences. */
export function headlineOf(
  kind: Sitting['kind'],
  sentences: readonly Sentence[],
  proposedBy?: string,
): { headline: Headline; rest: readonly Sentence[] } {
  const say = (said: string): Headline => ({ text: said, isText: false });
  if (proposedBy !== undefined) return { headline: say(texts.proposed(proposedBy)), rest: sentences };
  if (kind === 'revert' || kind === 'raw' || kind === 'apply') return { headline: say(texts[kind]), rest: sentences };
  const [first] = sentences;
  if (!first) return { headline: say(texts.nothing), rest: [] };
  if (sentences.length === 1 || first.isMain) return { headline: first, rest: sentences.slice(1) };
  return { headline: say(texts.many(formatNumber(sentences.length))), rest: sentences };
}
