import { expect, it } from 'vitest';
import { freeName } from './free-name.ts';

it.each([
  ['Welcome tour', [], 'Welcome tour'],
  ['Welcome tour', ['Another one'], 'Welcome tour'],
  ['Welcome tour', ['welcome tour'], 'Welcome tour 2'],
  ['Welcome tour', ['Welcome tour', 'Welcome tour 2', 'Welcome tour 4'], 'Welcome tour 3'],
])('finds a free name for %s beside %j', (name, taken, expected) => {
  expect(freeName(name, taken)).toBe(expected);
});
