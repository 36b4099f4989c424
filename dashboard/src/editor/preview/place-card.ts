import type { PreviewRect } from '../../../../script/src/preview/messages.ts';

/*
 * Computes where the card with the field of a text is placed over the preview. All rectangles are relative to the
 * element around the frame.
 */

export interface Size {
  width: number;
  height: number;
}

/** The size of the frame's window, which is shown smaller by the scale. */
export interface FrameSize extends Size {
  scale: number;
}

export type Side = 'below' | 'above';

/** A text that was clicked, and the rectangle of the Experience around it; null if that is not known. */
export interface ClickedText {
  box: PreviewRect;
  around: PreviewRect | null;
}

/** The distance between the card and the text or the Experience that it must not cover. */
const GAP = 10;
/** The distance between the card and the edge of the preview. */
const MARGIN = 8;
/** The edge of the Experience counts as near up to this distance from the text. */
const NEAR = 80;

/** Converts a rectangle of the frame to the room around it. The frame is in the middle of the room. */
export function toRoom(box: PreviewRect, { width, height, scale }: FrameSize, room: Size): PreviewRect {
  return {
    left: (room.width - width * scale) / 2 + box.left * scale,
    top: (room.height - height * scale) / 2 + box.top * scale,
    width: box.width * scale,
    height: box.height * scale,
  };
}

/** Chooses the side with fewer other texts first, so that these can be seen and clicked: above for a title. */
export function chooseSide(text: ClickedText, card: Size, room: Size): Side {
  const { above, below } = distances(text);
  const sides: Side[] = above < below ? ['above', 'below'] : ['below', 'above'];
  const fits = (one: ClickedText) => (side: Side) => {
    const top = topOf(side, one, card);
    return top >= MARGIN && top + card.height + MARGIN <= room.height;
  };
  // If the card fits nowhere else, it leaves at least the text itself visible.
  return sides.find(fits(text)) ?? sides.find(fits({ box: text.box, around: null })) ?? 'below';
}

/** The card starts where its text starts, and stays inside of the room. */
export function placeCard(side: Side, text: ClickedText, card: Size, room: Size): { left: number; top: number } {
  return {
    left: clamp(text.box.left - GAP, room.width - card.width),
    top: clamp(topOf(side, text, card), room.height - card.height),
  };
}

/**
 * The top of the card, which covers neither the text nor the rest of the Experience on that side if its edge is near.
 */
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
