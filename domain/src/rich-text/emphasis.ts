import { joinStrings, type RichElement, type RichNode } from './merge.ts';

/** A delimiter run is compared with at most this many runs before it. This also limits how deep emphasis nests. */
const MAX_OPEN = 20;
const punctuation = /[\p{P}\p{S}]/u;

/** A run of `*`, `_` or `~` that may open or close emphasis. */
export interface DelimiterRun {
  delimiters: string;
  opens: boolean;
  closes: boolean;
}
export type InlineItem = RichNode | DelimiterRun;

/** Decides by the characters around a run whether it can open or close emphasis. */
export function classifyDelimiters(before: string, signs: string, after: string): DelimiterRun {
  const isLeft = isFlanking(after, before);
  const isRight = isFlanking(before, after);
  // An underscore inside a word, such as snake_case, is not emphasis.
  const isWord = signs[0] === '_' && isLeft && isRight;
  return {
    delimiters: signs,
    opens: isLeft && (!isWord || punctuation.test(before)),
    closes: isRight && (!isWord || punctuation.test(after)),
  };
}

/** Whether the run touches the text on its near side. */
function isFlanking(near: string, far: string): boolean {
  return !/\s/.test(near) && (!punctuation.test(near) || /\s/.test(far) || punctuation.test(far));
}

/** Pairs the delimiter runs from the inside out. Runs without a partner become text. */
export function parseEmphasis(items: readonly InlineItem[]): RichNode[] {
  const out: RichNode[] = [];
  const open: (DelimiterRun & { at: number; left: number })[] = [];
  for (const item of items) {
    if (typeof item !== 'object' || !('delimiters' in item)) {
      out.push(item);
      continue;
    }
    const sign = item.delimiters.charAt(0);
    let left = item.delimiters.length;
    while (item.closes && left > 0) {
      const found = open.findLastIndex((before) => before.delimiters[0] === sign && canPair(before, item));
      const before = open[found];
      if (!before) break;
      open.length = found + 1;
      const used = Math.min(2, left, before.left);
      const content = joinStrings(out.splice(before.at + 1));
      left -= used;
      before.left -= used;
      out[before.at] = sign.repeat(before.left);
      out.push([sign === '~' ? 'del' : used === 2 ? 'strong' : 'em', ...content] as RichElement);
      if (before.left === 0) open.pop();
    }
    if (left > 0 && item.opens) open.push({ ...item, at: out.length, left });
    if (open.length > MAX_OPEN) open.shift();
    out.push(sign.repeat(left));
  }
  return joinStrings(out);
}

/** Runs that can both open and close emphasis, as in `*a**b*`, pair only when their lengths are unambiguous. */
function canPair(one: DelimiterRun, other: DelimiterRun): boolean {
  const [length, otherLength] = [one.delimiters.length, other.delimiters.length];
  if (!one.closes && !other.opens) return true;
  return (length + otherLength) % 3 !== 0 || (length % 3 === 0 && otherLength % 3 === 0);
}
