import { useRef } from 'react';

interface Item {
  id: string;
}

/**
 * Rows keep their places while somebody works with them, even if they should be sorted or filtered differently by now:
 * a row that jumps away is hard to find again. Changing the sort order or a filter, or opening the page again, arranges
 * all rows.
 */
export function useKeptPlaces<Row extends Item>(
  all: readonly Row[] | undefined,
  found: readonly Row[] | undefined,
  arrangement: string,
): Row[] | undefined {
  const kept = useRef<{ arrangement: string; ids: string[] }>(undefined);
  if (!all || !found) return undefined;
  const before = kept.current?.arrangement === arrangement ? kept.current.ids : [];
  const rows = keepPlaces(before, all, found);
  kept.current = { arrangement, ids: rows.map(({ id }) => id) };
  return rows;
}

/** Keeps the previous order of known rows, and puts each new row after the row that it follows. */
export function keepPlaces<Row extends Item>(
  before: readonly string[],
  all: readonly Row[],
  found: readonly Row[],
): Row[] {
  const byId = new Map(all.map((row) => [row.id, row]));
  const rows = before.flatMap((id) => byId.get(id) ?? []);
  const placed = new Set(before);
  for (const [at, row] of found.entries()) {
    if (placed.has(row.id)) continue;
    const previous = found[at - 1];
    rows.splice(previous === undefined ? 0 : rows.findIndex(({ id }) => id === previous.id) + 1, 0, row);
  }
  return rows;
}
