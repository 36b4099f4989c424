import { joinStrings, type RichElement, type RichNode } from './merge.ts';

/** A run of signs is compared with so many before it, which also bounds how deep emphasis can be in emphasis. */
const MAX_OPEN = 20;
const punctuation = /[\p{P}\p{S}]/u;

/** Signs that may begin or end emphasis, until it is known whether they do. */
export interface DelimiterRun {
  delimiters: string;
  opens: boolean;
  closes: boolean;
}
export type InlineItem = RichNode | DelimiterRun;

/** What a run of signs may do, by the characters around it. */
export function classifyDelimiters(before: string, signs: string, after: string): DelimiterRun {
  const isLeft = isFlanking(after, before);
  const isRight = isFlanking(before, after);
  // snake_case is a word: an underscore inside of one is no emphasis.
  const isWord = signs[0] === '_' && isLeft && isRight;
  return {
    delimiters: signs,
    opens: isLeft && (!isWord || punctuation.test(before)),
    closes: isRight && (!isWord || punctuation.test(after)),
  };
}

/** Whether signs stand close to what is on this side of them. */
function isFlanking(near: string, far: string): boolean {
  return !/\s/.test(near) && (!punctuation.test(near) || /\s/.test(far) || punctuation.test(far));
}

/** Finds the signs that belong together, from the inside out, and lets the others be text. */
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

/** Signs that could both begin and end emphasis, as in `*a**b*`, only fit where the lengths leave no doubt. */
function canPair(one: DelimiterRun, other: DelimiterRun): boolean {
  const [length, otherLength] = [one.delimiters.length, other.delimiters.length];
  if (!one.closes && !other.opens) return true;
  return (length + otherLength) % 3 !== 0 || (length % 3 === 0 && otherLength % 3 === 0);
}
