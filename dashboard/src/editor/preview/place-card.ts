import type { PreviewRect } from '../../../../script/src/preview/messages.ts';

/* Where the card with the field of a text is placed over the preview. All rectangles are relative to the element around the frame. */

export interface Size {
  width: number;
  height: number;
}

/** The size of the frame's window, which is shown smaller by the scale. */
export interface FrameSize extends Size {
  scale: number;
}

export type Side = 'below' | 'above';

/** A text that was clicked, and the Experience around it; null if nothing is known of that. */
export interface ClickedText {
  box: PreviewRect;
  around: PreviewRect | null;
}

/** Between the card and what it leaves free. */
const GAP = 10;
/** Between the card and the edge of the preview. */
const MARGIN = 8;
/** The edge of the Experience is near if it is not farther from the text than this. */
const NEAR = 80;

/** A rectangle of the frame as it is seen. The frame is in the middle of the room. */
export function toRoom(box: PreviewRect, { width, height, scale }: FrameSize, room: Size): PreviewRect {
  return {
    left: (room.width - width * scale) / 2 + box.left * scale,
    top: (room.height - height * scale) / 2 + box.top * scale,
    width: box.width * scale,
    height: box.height * scale,
  };
}

/** The side with fewer other texts comes first, so that these can be seen and clicked: that of a title is above. */
export function chooseSide(text: ClickedText, card: Size, room: Size): Side {
  const { above, below } = distances(text);
  const sides: Side[] = above < below ? ['above', 'below'] : ['below', 'above'];
  const fits = (one: ClickedText) => (side: Side) => {
    const top = topOf(side, one, card);
    return top >= MARGIN && top + card.height + MARGIN <= room.height;
  };
  // At least the text itself can be seen.
  return sides.find(fits(text)) ?? sides.find(fits({ box: text.box, around: null })) ?? 'below';
}

/** The card starts where its text starts, and stays inside of the room. */
export function placeCard(side: Side, text: ClickedText, card: Size, room: Size): { left: number; top: number } {
  return {
    left: clamp(text.box.left - GAP, room.width - card.width),
    top: clamp(topOf(side, text, card), room.height - card.height),
  };
}

/** The card does not cover the text, nor the rest of the Experience on that side if its edge is near. */
function topOf(side: Side, text: ClickedText, card: Size): number {
  const { top, height } = text.box;
  const distance = distances(text)[side];
  const free = GAP + (distance <= NEAR ? distance : 0);
  return side === 'below' ? top + height + free : top - free - card.height;
}

function distances({ box, around }: ClickedText): Record<Side, number> {
  const { top, height } = around ?? box;
  return { above: Math.max(0, box.top - top), below: Math.max(0, top + height - box.top - box.height) };
}

function clamp(value: number, end: number): number {
  return Math.round(Math.max(MARGIN, Math.min(value, end - MARGIN)));
}
