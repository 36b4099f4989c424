import { isOurs } from './find.ts';

/** Returns whether an element is a fixed button or bar of the page. An element higher than half of the window is neither. */
export function isFixed(element: Element, positions = /fixed|sticky/): boolean {
  const { position } = getComputedStyle(element);
  return positions.test(position) && element.clientHeight < innerHeight / 2 && !isOurs(element);
}
