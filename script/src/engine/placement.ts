import type { Side } from '../kind.ts';

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
export interface Placed {
  side: Side;
  left: number;
  top: number;
  /** From the left or top edge of the box to the middle of the target. */
  arrow: number;
}

const GAP = 12;
const MARGIN = 8;
const ARROW = 16;

/** Where a box goes beside a target: on the side that is wanted, else opposite, else where there is room; inside the view. */
export function placeBeside(target: Rect, box: Size, view: Size, wanted: Side | 'auto' = 'auto'): Placed {
  const places: Record<Side, number> = {
    bottom: target.top + target.height + GAP,
    top: target.top - GAP - box.height,
    right: target.left + target.width + GAP,
    left: target.left - GAP - box.width,
  };
  const room: Record<Side, number> = {
    bottom: view.height - places.bottom - box.height,
    top: places.top,
    right: view.width - places.right - box.width,
    left: places.left,
  };
  const sides = Object.keys(places) as Side[];
  const opposite = { top: 'bottom', bottom: 'top', left: 'right', right: 'left' } as const;
  const order = wanted === 'auto' ? sides : [wanted, opposite[wanted], ...sides];
  const most = sides.reduce((one, other) => (room[other] > room[one] ? other : one));
  const side = order.find((one) => room[one] >= MARGIN) ?? most;

  const isVertical = side === 'top' || side === 'bottom';
  const middleX = target.left + target.width / 2;
  const middleY = target.top + target.height / 2;
  const left = within(isVertical ? middleX - box.width / 2 : places[side], view.width - box.width);
  const top = within(isVertical ? places[side] : middleY - box.height / 2, view.height - box.height);
  const [at, length] = isVertical ? [middleX - left, box.width] : [middleY - top, box.height];
  return { side, left, top, arrow: Math.round(Math.max(ARROW, Math.min(at, length - ARROW))) };
}

/** Where it does not fit at all, its beginning is in view. */
function within(at: number, most: number): number {
  return Math.round(Math.max(MARGIN, Math.min(at, most - MARGIN)));
}
