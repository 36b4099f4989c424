/* What the picker needs of the look of a page. This file has no schemas, so that the picker stays small. */

/** The elements that a theme is taken from. */
export const lookParts = ['button', 'heading', 'card', 'link'] as const;
export type LookPart = (typeof lookParts)[number];

/** How far the shadows of the script reach, at most. A longer one is `large`. */
const shadows = [
  { word: 'none', max: 0 },
  { word: 'small', max: 10 },
  { word: 'medium', max: 50 },
] as const;

/** The word whose shadow reaches about as far, in pixels. */
export function nearestShadow(reach: number): string {
  return shadows.find(({ max }) => reach <= max)?.word ?? 'large';
}
