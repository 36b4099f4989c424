import type { RowMove } from '../ui/row-order.tsx';

/** One request: the API moves one Experience next to another. */
export interface Move {
  id: string;
  before_id?: string;
  after_id?: string;
}

/** The requests that move rows next to another row. Each row but the first is put after the previous one. */
export function planMoves({ ids, side, nextTo }: RowMove): Move[] {
  return ids.map((id, index) => {
    const previous = ids[index - 1];
    if (previous !== undefined) return { id, after_id: previous };
    return side === 'before' ? { id, before_id: nextTo } : { id, after_id: nextTo };
  });
}

/**
 * The requests that restore the previous order. Rows go back from the first to the last, each behind the row that it
 * followed.
 */
export function planUndo(before: readonly string[], moved: readonly string[]): Move[] {
  const firstUnmoved = before.find((id) => !moved.includes(id));
  return before
    .filter((id) => moved.includes(id))
    .map((id) => {
      const previous = before[before.indexOf(id) - 1];
      if (previous !== undefined) return { id, after_id: previous };
      return { id, ...(firstUnmoved !== undefined && { before_id: firstUnmoved }) };
    });
}

/** The order after a move. */
export function applyMove(before: readonly string[], { ids, side, nextTo }: RowMove): string[] {
  const others = before.filter((id) => !ids.includes(id));
  const place = others.indexOf(nextTo) + (side === 'after' ? 1 : 0);
  return [...others.slice(0, place), ...ids, ...others.slice(place)];
}
