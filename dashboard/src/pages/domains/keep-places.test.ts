import { expect, it } from 'vitest';
import { keepPlaces } from './keep-places.ts';

const rows = (ids: string) => [...ids].map((id) => ({ id }));
const idsOf = (list: { id: string }[]) => list.map(({ id }) => id).join('');

it.each([
  ['sorts again if nothing was shown before', '', 'abcd', 'cab', 'cab'],
  ['keeps the order of what was shown', 'abc', 'abc', 'cab', 'abc'],
  ['keeps what the filters no longer find', 'abc', 'abc', 'ac', 'abc'],
  ['leaves out what is gone', 'abc', 'ac', 'ac', 'ac'],
  ['puts a new row after the one that it follows', 'abc', 'abcx', 'axbc', 'axbc'],
  ['puts a new row that is the first at the beginning', 'ab', 'abxy', 'xyab', 'xyab'],
])('%s', (_, before, all, found, expected) => {
  expect(idsOf(keepPlaces([...before], rows(all), rows(found)))).toBe(expected);
});
