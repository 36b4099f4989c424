import type { PreviewRect } from '../../../../script/src/preview/messages.ts';

/* Where the card with the field of a text stands over the preview. All rectangles are relative to the element around the frame. */

export interface Size {
  width: number;
  height: number;
}

/** The size of the frame's window, which is shown smaller by the scale. */
export interface FrameSize extends Size {
  scale: number;
}

export type Side = 'below' | 'above';

/** Between the card and its text: the mark around the text is there. */
const GAP = 10;
/** Between the card and the edge of the preview. */
const MARGIN = 8;

/** A rectangle of the frame as it is seen. The frame is in the middle of the room. */
export function toRoom(box: PreviewRect, { width, height, scale }: FrameSize, room: Size): PreviewRect {
  return {
    left: (room.width - width * scale) / 2 + box.left * scale,
    top: (room.height - height * scale) / 2 + box.top * scale,
    width: box.width * scale,
    height: box.height * scale,
  };
}

/** The text stays in view while it is typed: the card is below it, or above it if only there is enough room. */
export function chooseSide(box: PreviewRect, card: Size, room: Size): Side {
  const fitsBelow = topOf('below', box, card) + card.height + MARGIN <= room.height;
  return fitsBelow || topOf('above', box, card) < MARGIN ? 'below' : 'above';
}

/** The card starts where its text starts, and stays inside of the room. */
export function placeCard(side: Side, box: PreviewRect, card: Size, room: Size): { left: number; top: number } {
  return {
    left: clamp(box.left - GAP, room.width - card.width),
    top: clamp(topOf(side, box, card), room.height - card.height),
  };
}

function topOf(side: Side, { top, height }: PreviewRect, card: Size): number {
  return side === 'below' ? top + height + GAP : top - GAP - card.height;
}

function clamp(value: number, end: number): number {
  return Math.round(Math.max(MARGIN, Math.min(value, end - MARGIN)));
}
