/*
 * Experiences with the same `position` are ordered by their sort key, which is their ID until they are moved. A moved one
 * gets a key between its two neighbors, so a move writes one row, however many Experiences there are.
 */

const digits = '0123456789abcdefghijklmnopqrstuvwxyz';

/** Returns a key after `low` and before `high`, or undefined if none fits. Without `high`, any key after `low` will do. */
export function sortKeyBetween(low: string, high?: string): string | undefined {
  if (high !== undefined && low >= high) return undefined;
  const end = Math.max(low.length, high?.length ?? 0);
  let key = '';
  let isBounded = high !== undefined;
  for (let at = 0; !isBounded || at < end; at++) {
    // A key never ends with 0, because nothing would fit between it and the same key without the 0.
    const lower = at < low.length ? digits.indexOf(low[at] as string) : -1;
    const upper = isBounded ? digits.indexOf((high as string)[at] ?? '0') : digits.length;
    const middle = Math.max(1, Math.floor((lower + upper) / 2));
    if (middle > lower && middle < upper) return key + digits[middle];
    const digit = Math.max(lower, 0);
    if (digit < upper) isBounded = false;
    key += digits[digit];
  }
  return undefined;
}

interface Sortable {
  id: string;
  position: number;
  sortKey: string;
}

/** Compares Experiences by priority: the first one comes first. */
export function compareByPosition(one: Sortable, other: Sortable): number {
  if (one.position !== other.position) return one.position - other.position;
  if (one.sortKey !== other.sortKey) return one.sortKey < other.sortKey ? -1 : 1;
  return one.id < other.id ? -1 : 1;
}
