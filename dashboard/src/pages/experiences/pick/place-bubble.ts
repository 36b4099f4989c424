import type { Step } from '../../../editor/document.ts';
import type { Box } from '../../../picks/pick-api.ts';

type Side = Exclude<NonNullable<Step['placement']>, 'auto'>;

const GAP = 8;
const WIDTH = 220;
const HEIGHT = 72;

/**
 * The place of the step in the sketch: on the chosen side of the element, or where there is most room. It stays inside
 * the sketch.
 */
export function placeBubble(target: Box, page: { width: number; height: number }, placement: Step['placement']): Box {
  const width = Math.min(WIDTH, page.width);
  const height = Math.min(HEIGHT, page.height);
  const side = isSide(placement) ? placement : roomiestSide(target, page);
  const middle = { x: target.x + target.width / 2 - width / 2, y: target.y + target.height / 2 - height / 2 };
  const places: Record<Side, { x: number; y: number }> = {
    top: { x: middle.x, y: target.y - GAP - height },
    bottom: { x: middle.x, y: target.y + target.height + GAP },
    left: { x: target.x - GAP - width, y: middle.y },
    right: { x: target.x + target.width + GAP, y: middle.y },
  };
  const { x, y } = places[side];
  return { x: clamp(x, page.width - width), y: clamp(y, page.height - height), width, height };
}

const isSide = (placement: Step['placement']): placement is Side =>
  placement === 'top' || placement === 'bottom' || placement === 'left' || placement === 'right';

function roomiestSide(target: Box, page: { width: number; height: number }): Side {
  const below = page.height - target.y - target.height;
  if (below >= HEIGHT + GAP) return 'bottom';
  if (target.y >= HEIGHT + GAP) return 'top';
  return page.width - target.x - target.width >= target.x ? 'right' : 'left';
}

const clamp = (value: number, max: number) => Math.max(0, Math.min(value, max));
