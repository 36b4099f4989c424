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
  /** The height of the box. It is less than its own height if the box would cover the target. */
  height: number;
  /** The distance from the left or top edge of the box to the center of the target. */
  arrow: number;
}

const GAP = 12;
const MARGIN = 8;
const MIN_ARROW = 16;

/** Another side must have this much more room before a box moves there, so that scrolling does not move it back and forth. */
const SLACK = 24;
/** A box becomes lower to leave its target uncovered, but not lower than this. */
const MIN_HEIGHT = 120;

/**
 * Places a box beside a target: on the preferred side, else opposite, else where there is most room. It stays inside of the view, and
 * at the side where it is (`current`) while it fits there.
 */
export function placeBeside(
  target: Rect,
  box: Size,
  view: Size,
  preferred: Side | 'auto' = 'auto',
  current?: Side,
): Placement {
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
  const fits = (side: Side | undefined, extra = 0) => !!side && room[side] >= MARGIN + extra;
  const widestOf = (candidates: Side[]) => candidates.reduce((best, side) => (room[side] > room[best] ? side : best));
  const wanted = preferred === 'auto' ? undefined : preferred;
  // When the box comes back to the side of the author's choice, it must fit easily.
  const isBack = fits(wanted, fits(current) && current !== wanted ? SLACK : 0);
  const order = [isBack ? wanted : undefined, current, wanted && opposite[wanted], widestOf(sides)];
  let side = order.find((candidate) => fits(candidate));
  let { height } = box;
  if (!side) {
    // A box can become lower, but not narrower.
    const vertical = widestOf(['bottom', 'top']);
    side = current === opposite[vertical] && room[vertical] - room[current] < SLACK ? current : vertical;
    const lower = height + room[side] - MARGIN;
    // A target that fills the view is covered in any case.
    if (lower >= MIN_HEIGHT) height = lower;
  }

  const isVertical = side === 'top' || side === 'bottom';
  const centerX = target.left + target.width / 2;
  const centerY = target.top + target.height / 2;
  const edge = side === 'top' ? edges.top + box.height - height : edges[side];
  const left = clamp(isVertical ? centerX - box.width / 2 : edge, view.width - box.width);
  const top = clamp(isVertical ? edge : centerY - height / 2, view.height - height);
  const [offset, length] = isVertical ? [centerX - left, box.width] : [centerY - top, height];
  return { side, left, top, height, arrow: Math.round(Math.max(MIN_ARROW, Math.min(offset, length - MIN_ARROW))) };
}

/** Keeps a margin to the edges of the view. A box that does not fit shows its beginning. */
function clamp(position: number, max: number): number {
  return Math.round(Math.max(MARGIN, Math.min(position, max - MARGIN)));
}
