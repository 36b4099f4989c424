import { formatNumber } from '../messages/format.ts';
import * as text from '../messages/text.ts';

const texts = text.languages.progress;

/** How far a translation is, as the API counts it. */
export interface Counts {
  texts_count: number;
  translated_count: number;
  inherited_count: number;
  outdated_count: number;
  unreviewed_count: number;
}

export const noCounts: Counts = {
  texts_count: 0,
  translated_count: 0,
  inherited_count: 0,
  outdated_count: 0,
  unreviewed_count: 0,
};

/** Counts the texts that are translated neither into this language nor into its parent language. */
export function countMissing({ texts_count, translated_count, inherited_count }: Counts): number {
  return Math.max(0, texts_count - translated_count - inherited_count);
}

/** Shows what is translated, what somebody must review and what is missing, as a bar and in words. */
export function ProgressBar({ name, counts, width = 96 }: { name: string; counts: Counts; width?: number }) {
  const { texts_count: all, translated_count: translated, outdated_count: outdated, unreviewed_count } = counts;
  if (all === 0) return <span className="text-faint">{texts.noTexts}</span>;
  const missing = countMissing(counts);
  const toReview = outdated + unreviewed_count;
  const words = [
    texts.done(formatNumber(translated), formatNumber(all)),
    ...(missing > 0 ? [texts.missing(formatNumber(missing))] : []),
    ...(outdated > 0 ? [texts.outdated(formatNumber(outdated))] : []),
    ...(unreviewed_count > 0 ? [texts.unreviewed(formatNumber(unreviewed_count))] : []),
  ];
  const share = (count: number) => `${(100 * count) / all}%`;
  return (
    <span className="flex min-w-0 items-center gap-2" title={words.join(', ')}>
      <span
        role="img"
        aria-label={`${name}: ${words.join(', ')}`}
        className="flex h-2 min-w-6 overflow-hidden rounded-full bg-pressed forced-colors:border"
        style={{ width }}
      >
        <span className="bg-good forced-colors:bg-[Highlight]" style={{ width: share(translated - toReview) }} />
        <span className="bg-warn" style={{ width: share(toReview) }} />
      </span>
      <span aria-hidden className="shrink-0 tabular-nums">
        {words[0]}
      </span>
    </span>
  );
}
