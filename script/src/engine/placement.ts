import type { Side } from '../wire.ts';

export interface Rect {
  left: number;
  top: number;
  width: number;
  height: number;
}
export interface Size {
  width: number;
  height: number;
}
export interface Placement {
  side: Side;
  left: number;
  top: number;
  /** The distance from the left or top edge of the box to the center of the target. */
  arrow: number;
}

const GAP = 12;
const MARGIN = 8;
const MIN_ARROW = 16;

/** Places a box beside a target: on the preferred side, else opposite, else where there is room. It stays inside of the view. */
export function placeBeside(target: Rect, box: Size, view: Size, preferred: Side | 'auto' = 'auto'): Placement {
  const edges: Record<Side, number> = {
    bottom: target.top + target.height + GAP,
    top: target.top - GAP - box.height,
    right: target.left + target.width + GAP,
    left: target.left - GAP - box.width,
  };
  const room: Record<Side, number> = {
    bottom: view.height - edges.bottom - box.height,
    top: edges.top,
    right: view.width - edges.right - box.width,
    left: edges.left,
  };
  const sides = Object.keys(edges) as Side[];
  const opposite = { top: 'bottom', bottom: 'top', left: 'right', right: 'left' } as const;
  const order = preferred === 'auto' ? sides : [preferred, opposite[preferred], ...sides];
  const widest = sides.reduce((best, side) => (room[side] > room[best] ? side : best));
  const side = order.find((candidate) => room[candidate] >= MARGIN) ?? widest;

  const isVertical = side === 'top' || side === 'bottom';
  const centerX = target.left + target.width / 2;
  const centerY = target.top + target.height / 2;
  const left = clamp(isVertical ? centerX - box.width / 2 : edges[side], view.width - box.width);
  const top = clamp(isVertical ? edges[side] : centerY - box.height / 2, view.height - box.height);
  const [offset, length] = isVertical ? [centerX - left, box.width] : [centerY - top, box.height];
  return { side, left, top, arrow: Math.round(Math.max(MIN_ARROW, Math.min(offset, length - MIN_ARROW))) };
}

/** Keeps a margin to the edges of the view. A box that does not fit shows its beginning. */
function clamp(position: number, max: number): number {
  return Math.round(Math.max(MARGIN, Math.min(position, max - MARGIN)));
}
