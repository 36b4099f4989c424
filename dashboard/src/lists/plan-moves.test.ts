import { expect, it } from 'vitest';
import type { RowMove } from '../ui/row-order.tsx';
import { applyMove, type Move, planMoves, planUndo } from './plan-moves.ts';

const before = ['a', 'b', 'c', 'd', 'e'];

/** Applies moves as the server does. */
function run(order: readonly string[], moves: readonly Move[]): string[] {
  return moves.reduce<string[]>(
    (all, { id, before_id, after_id }) => {
      const others = all.filter((one) => one !== id);
      const place = before_id === undefined ? others.indexOf(after_id ?? '') + 1 : others.indexOf(before_id);
      return [...others.slice(0, place), id, ...others.slice(place)];
    },
    [...order],
  );
}

it.each<[RowMove, string]>([
  [{ ids: ['a'], side: 'after', nextTo: 'c' }, 'bcade'],
  [{ ids: ['e'], side: 'before', nextTo: 'a' }, 'eabcd'],
  [{ ids: ['a', 'c'], side: 'after', nextTo: 'e' }, 'bdeac'],
  [{ ids: ['b', 'e'], side: 'before', nextTo: 'a' }, 'beacd'],
  [{ ids: ['a', 'b'], side: 'before', nextTo: 'd' }, 'cabde'],
])('moves %o, and back', (move, after) => {
  expect(applyMove(before, move).join('')).toBe(after);
  const moved = run(before, planMoves(move));
  expect(moved.join('')).toBe(after);
  expect(run(moved, planUndo(before, move.ids))).toEqual(before);
});
