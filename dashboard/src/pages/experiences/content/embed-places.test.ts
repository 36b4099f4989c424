import { expect, it } from 'vitest';
import { embedPlaceOf, embedPlaces, fieldsOfPlace } from './embed-places.ts';

type Placed = Parameters<typeof embedPlaceOf>[0];
const at = (selector: string | undefined, placement: string | null): Placed =>
  ({
    elements: selector === undefined ? [] : [{ selector, text: null, shadow_selector: null }],
    placement,
  }) as Placed;

it.each([
  ['page_top', at('body', 'left')],
  ['page_bottom', at('body', 'auto')],
  ['start', at('#news', 'left')],
  ['end', at('#news', null)],
  ['before', at('#news', 'top')],
  ['after', at('#news', 'bottom')],
  ['end', at(undefined, 'auto')],
])('reads the place %s', (place, step) => {
  expect(embedPlaceOf(step)).toBe(place);
});

it.each(embedPlaces)('keeps the place %s when it is chosen, with an element or without', (place) => {
  for (const before of [at('body', 'left'), at('#news', 'top')])
    expect(embedPlaceOf({ ...before, ...fieldsOfPlace(place, before) })).toBe(place);
});

it('keeps the element of another place, but never the whole page as an element', () => {
  expect(fieldsOfPlace('after', at('#news', 'top')).elements).toEqual(at('#news', 'top').elements);
  expect(fieldsOfPlace('after', at('body', 'left')).elements).toEqual([]);
});
