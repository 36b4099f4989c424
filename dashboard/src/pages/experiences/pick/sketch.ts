import type { Box, Wireframe, WireframeBox } from '../../../picks/pick-api.ts';

const MIN_FONT = 9;
/** How wide a letter is in most fonts, compared with its size. */
const LETTER = 0.5;

/** The font size of a text that fills its box. Several lines become one line, which may be cut off. */
export function fontSizeOf({ width, height }: Box, text: string): number {
  const fitting = width / Math.max(1, text.length) / LETTER;
  return Math.max(Math.min(MIN_FONT, height), Math.min(height * 0.75, fitting));
}

/** The picked element in the sketch. The page may have been scrolled since it was measured. */
export function targetOf({ boxes }: Wireframe, measured: Box): Box {
  return boxes.find(({ target }) => target) ?? measured;
}

/** The first text inside of the picked element. */
export function textOfTarget({ boxes }: Wireframe, target: Box): string {
  const isInside = ({ x, y, width, height }: WireframeBox) =>
    x + width / 2 >= target.x &&
    x + width / 2 <= target.x + target.width &&
    y + height / 2 >= target.y &&
    y + height / 2 <= target.y + target.height;
  return boxes.find((box) => box.text && isInside(box))?.text ?? '';
}
