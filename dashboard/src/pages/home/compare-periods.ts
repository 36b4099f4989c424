/** How a number compares with the same number in the period before. */
export type Difference = { kind: 'unknown' } | { kind: 'same' } | { kind: 'more' | 'less'; share: number };

/** A share of nothing does not exist, so a period after an empty one is compared with nothing. */
export function comparePeriods(now: number, before: number): Difference {
  if (before === 0) return { kind: 'unknown' };
  if (now === before) return { kind: 'same' };
  // A small difference of a large number must not look like none.
  const share = Math.max(0.01, Math.round((Math.abs(now - before) / before) * 100) / 100);
  return { kind: now > before ? 'more' : 'less', share };
}
