import { changesInSummary, type NameOf, reverseChange, type Sentence } from '@usher/domain/sentences';
import { useMemo } from 'react';
import { capitalize } from '../messages/field-names.ts';
import * as text from '../messages/text.ts';
import type { ChangeSummary } from './change.ts';
import { sentencesOf } from './sentences.ts';
import { diffWords } from './word-diff.ts';

const texts = text.history;

interface ChangeSentencesProps {
  summary: ChangeSummary;
  /** The kind of the Experience, such as `tour`. */
  kind: string;
  nameOf: NameOf;
  /** Whether the sentences lead from the later state to the earlier one. */
  isReversed?: boolean;
}

/** Describes changes in sentences: since the last publish, or between two versions. */
export function ChangeSentences({ summary, kind, nameOf, isReversed = false }: ChangeSentencesProps) {
  const sentences = useMemo(() => {
    const changes = changesInSummary(summary);
    return sentencesOf(isReversed ? changes.map(reverseChange) : changes, kind, nameOf);
  }, [summary, kind, nameOf, isReversed]);
  if (sentences.length === 0) return <p className="text-14 text-soft">{texts.noChanges}</p>;
  return <SentenceList sentences={sentences} />;
}

/** Lists sentences without their subject, each with its values. */
export function SentenceList({ sentences }: { sentences: readonly Sentence[] }) {
  return (
    <ul className="flex flex-col gap-1.5">
      {sentences.map((sentence) => (
        <li key={sentence.id} className="relative flex flex-col gap-1 pl-4">
          <span aria-hidden className="absolute top-2 left-0.5 size-1 rounded-full bg-faint" />
          <p className="text-14">
            <bdi>{capitalize(sentence.text)}</bdi>
          </p>
          <SentenceValues sentence={sentence} />
        </li>
      ))}
    </ul>
  );
}

/** The value before and after a change. In texts the words that differ are marked. */
export function SentenceValues({ sentence }: { sentence: Pick<Sentence, 'before' | 'after' | 'isText'> }) {
  const { before, after, isText } = sentence;
  if (before === undefined && after === undefined) return null;
  if (isText) return <TextDiff before={before ?? ''} after={after ?? ''} />;
  return (
    <p className="text-13 text-soft">
      {before !== undefined && (
        <>
          <span className="sr-only">{texts.was} </span>
          <bdi className={after === undefined ? 'line-through' : ''}>{before}</bdi>
        </>
      )}
      {before !== undefined && after !== undefined && <span aria-hidden> → </span>}
      {after !== undefined && (
        <>
          <span className="sr-only"> {texts.is} </span>
          <bdi className="text-ink">{after}</bdi>
        </>
      )}
    </p>
  );
}

/** The new text, in which removed and added words are marked. */
function TextDiff({ before, after }: { before: string; after: string }) {
  const parts = useMemo(() => diffWords(before, after), [before, after]);
  return (
    <p
      dir="auto"
      className="line-clamp-6 rounded-6 border border-line bg-ground px-2.5 py-1.5 text-13 whitespace-pre-wrap text-soft"
    >
      {parts.map(({ kind, text }, at) => {
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their order
        if (kind === 'same') return <span key={at}>{text}</span>;
        return kind === 'removed' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their order
          <del key={at} className="rounded-4 bg-bad-tint text-bad line-through decoration-1">
            {text}
          </del>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their order
          <ins key={at} className="rounded-4 bg-good-tint text-good no-underline forced-colors:underline">
            {text}
          </ins>
        );
      })}
    </p>
  );
}
