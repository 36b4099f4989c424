/** How many rows are rendered above and below the visible ones, so that a quick scroll shows no gap. */
const OVERSCAN = 6;

/** The rows to be painted, from `first` until before `last`. */
export function visibleRows(box: { top: number; height: number; rowHeight: number; total: number }) {
  const { top, height, rowHeight, total } = box;
  const first = Math.max(0, Math.floor(top / rowHeight) - OVERSCAN);
  const last = Math.min(total, Math.ceil((top + Math.max(height, rowHeight)) / rowHeight) + OVERSCAN);
  return { first: Math.min(first, last), last };
}

/** The row that a key moves to, or undefined if the key does not move. */
export function moveRow(
  key: string,
  { current, total, page }: { current: number; total: number; page: number },
): number | undefined {
  const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -total, End: total };
  const step = new Map(Object.entries(steps)).get(key);
  if (step === undefined || total === 0) return undefined;
  return Math.min(Math.max(current + step, 0), total - 1);
}
