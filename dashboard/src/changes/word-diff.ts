export interface DiffPart {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/**
 * In longer texts only the beginnings and ends are compared, because the time grows with the square of the number of
 * words.
 */
const MAX_CELLS = 1_000_000;

/** What was removed and added between two texts, word by word. */
export function diffWords(before: string, after: string): DiffPart[] {
  const [olds, news] = [wordsOf(before), wordsOf(after)];
  let start = 0;
  while (start < olds.length && start < news.length && olds[start] === news[start]) start++;
  let end = 0;
  const rest = () => Math.min(olds.length, news.length) - start;
  while (end < rest() && olds[olds.length - 1 - end] === news[news.length - 1 - end]) end++;
  const parts = [
    ...olds.slice(0, start).map((text): DiffPart => ({ kind: 'same', text })),
    ...diffMiddle(olds.slice(start, olds.length - end), news.slice(start, news.length - end)),
    ...olds.slice(olds.length - end).map((text): DiffPart => ({ kind: 'same', text })),
  ];
  return joinParts(parts);
}

/** Splits a text into words and the characters between them. This finds words in languages without spaces too. */
function wordsOf(text: string): string[] {
  return Array.from(new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text), ({ segment }) => segment);
}

function diffMiddle(olds: readonly string[], news: readonly string[]): DiffPart[] {
  const removed = olds.map((text): DiffPart => ({ kind: 'removed', text }));
  const added = news.map((text): DiffPart => ({ kind: 'added', text }));
  if (olds.length === 0 || news.length === 0 || olds.length * news.length > MAX_CELLS) return [...removed, ...added];
  const width = news.length + 1;
  // The length of the longest common subsequence of the words after each pair of words.
  const common = new Uint32Array((olds.length + 1) * width);
  const at = (one: number, other: number) => common[one * width + other] ?? 0;
  for (let one = olds.length - 1; one >= 0; one--)
    for (let other = news.length - 1; other >= 0; other--)
      common[one * width + other] =
        olds[one] === news[other] ? at(one + 1, other + 1) + 1 : Math.max(at(one + 1, other), at(one, other + 1));
  const parts: DiffPart[] = [];
  let [one, other] = [0, 0];
  while (one < olds.length && other < news.length) {
    if (olds[one] === news[other]) {
      parts.push({ kind: 'same', text: olds[one] ?? '' });
      one++;
      other++;
    } else if (at(one + 1, other) >= at(one, other + 1)) parts.push(removed[one++] as DiffPart);
    else parts.push(added[other++] as DiffPart);
  }
  return [...parts, ...removed.slice(one), ...added.slice(other)];
}

/** Joins neighbors, removed words first: "one two" that became "three four" is one change, although the space is the same. */
function joinParts(parts: readonly DiffPart[]): DiffPart[] {
  const joined: DiffPart[] = [];
  let [removed, added] = ['', ''];
  const flush = () => {
    if (removed !== '') joined.push({ kind: 'removed', text: removed });
    if (added !== '') joined.push({ kind: 'added', text: added });
    [removed, added] = ['', ''];
  };
  for (const [index, { kind, text }] of parts.entries()) {
    const isBetween =
      kind === 'same' && /^\s+$/.test(text) && removed !== '' && added !== '' && parts[index + 1]?.kind !== 'same';
    if (isBetween && index < parts.length - 1) {
      removed += text;
      added += text;
    } else if (kind === 'removed') removed += text;
    else if (kind === 'added') added += text;
    else {
      flush();
      const last = joined.at(-1);
      if (last?.kind === 'same') last.text += text;
      else joined.push({ kind, text });
    }
  }
  flush();
  return joined;
}
