import type { Step } from '../../../editor/document.ts';

/** The places of an embed, in the order of the list. */
export const embedPlaces = ['page_top', 'page_bottom', 'before', 'after', 'start', 'end'] as const;
export type EmbedPlace = (typeof embedPlaces)[number];

type Placed = Pick<Step, 'elements' | 'placement'>;
const body = { selector: 'body', text: null, shadow_selector: null };
/** The browser script reads the side as a place around or inside of the element. */
const sides = { page_top: 'left', page_bottom: 'right', before: 'top', after: 'bottom', start: 'left', end: 'right' };
const inside = { top: 'before', bottom: 'after', left: 'start', right: 'end', auto: 'end' } as const;

/** Whether the embed is at the top or bottom of the page, and not at a chosen element. */
export const isOnPage = (place: EmbedPlace) => place === 'page_top' || place === 'page_bottom';

export function embedPlaceOf({ elements, placement }: Placed): EmbedPlace {
  const place = inside[(placement ?? 'auto') as keyof typeof inside];
  if (!isBody(elements) || place === 'before' || place === 'after') return place;
  return place === 'start' ? 'page_top' : 'page_bottom';
}

/** The fields for a place. The element is kept as long as the place has one. */
export function fieldsOfPlace(place: EmbedPlace, { elements }: Placed): Partial<Placed> {
  const placement = sides[place] as Placed['placement'];
  if (isOnPage(place)) return { placement, elements: [body] };
  return { placement, elements: isBody(elements) ? [] : elements };
}

function isBody(elements: Placed['elements']): boolean {
  const [only] = elements;
  return elements.length === 1 && only?.selector === 'body' && !only.text && !only.shadow_selector;
}
