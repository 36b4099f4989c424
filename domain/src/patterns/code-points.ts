/** Sorted ranges of code points, as a flat list: the first and the last code point of each range. */
export type Ranges = readonly number[];

/** Stands for the missing character before the first and after the last one. */
export const NO_CHARACTER = -1;
export const LAST_CODE_POINT = 0x10ffff;
export const codeOf = (char: string): number => char.codePointAt(0) ?? NO_CHARACTER;
export const toRanges = (ends: string): Ranges => [...ends].map(codeOf);
export const WORD = toRanges('09AZ__az');
export const LINE_ENDS = toRanges('\n\n\r\r\u2028\u2029');
/** The classes that have a letter, such as `\d`, and escapes of single characters, such as `\n`. */
export const namedClasses = new Map([
  ['d', toRanges('09')],
  ['w', WORD],
  ['s', toRanges('\t\r  \xa0\xa0\u1680\u1680\u2000\u200a\u2028\u2029\u202f\u202f\u205f\u205f\u3000\u3000\ufeff\ufeff')],
  ...[...'t\tn\nv\vf\fr\r'.matchAll(/(.)(.)/gs)].map(
    ([, name = '', char = '']) => [name, toRanges(char + char)] as const,
  ),
]);
for (const name of 'dws') namedClasses.set(name.toUpperCase(), complement(namedClasses.get(name) ?? []));

function complement(ranges: Ranges): Ranges {
  return [0, ...ranges.map((point, at) => (at % 2 === 0 ? point - 1 : point + 1)), LAST_CODE_POINT];
}

/** Binary search, because a class can have a thousand ranges. */
export function isInRanges(ranges: Ranges, point: number): boolean {
  let low = 0;
  let high = ranges.length / 2 - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (point < (ranges[2 * middle] as number)) high = middle - 1;
    else if (point > (ranges[2 * middle + 1] as number)) low = middle + 1;
    else return true;
  }
  return false;
}

/** Sorts ranges and merges overlapping ones. */
export function mergeRanges(ranges: readonly number[]): Ranges {
  if (ranges.length <= 2) return ranges;
  const pairs = Array.from({ length: ranges.length / 2 }, (_, at) => [ranges[2 * at] ?? 0, ranges[2 * at + 1] ?? 0]);
  const merged: number[] = [];
  for (const [low = 0, high = 0] of pairs.sort(([one = 0], [other = 0]) => one - other)) {
    const last = merged.at(-1);
    if (last !== undefined && low <= last) merged[merged.length - 1] = Math.max(last, high);
    else merged.push(low, high);
  }
  return merged;
}
