/*
 * Translations are often longer than the source text. Boxes grow and texts wrap, so little is cut off. This module
 * finds the texts that still look wrong.
 */

/** A text that is this many times higher than one line has a second line. */
const MORE_THAN_ONE = 1.6;

/** Finds the texts that do not fit: buttons with two lines, what is wider than its place, and what has to be scrolled to. */
export function listOverflowing(elements: readonly HTMLElement[]): string[] {
  return elements.filter(isOverflowing).map(({ dataset }) => dataset.path as string);
}

function isOverflowing(element: HTMLElement): boolean {
  const { left, right, bottom } = element.getBoundingClientRect();
  const isWider = element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1;
  if (isWider || left < -1 || right > innerWidth + 1) return true;
  if (element.localName === 'button') return hasTwoLines(element);
  const main = element.closest('.main');
  return main !== null && bottom > main.getBoundingClientRect().bottom + 1;
}

function hasTwoLines(element: HTMLElement): boolean {
  const range = document.createRange();
  range.selectNodeContents(element);
  return range.getBoundingClientRect().height > MORE_THAN_ONE * Number.parseFloat(getComputedStyle(element).lineHeight);
}
