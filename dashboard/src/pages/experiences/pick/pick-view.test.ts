import { expect, it } from 'vitest';
import { pickViewOf } from './pick-view.ts';

const none = { id: null, over: undefined, pick: undefined };
const waiting = { id: 'x', over: undefined, pick: { result: null } };
const picked = { id: 'x', over: undefined, pick: { result: {} } };

it.each([
  ['the choice of a page without a pick', undefined, none, 'page'],
  ['the choice of a page once the pick is over', undefined, { ...waiting, over: 'expired' as const }, 'page'],
  ['that it loads until the pick is known', undefined, { ...none, id: 'x' }, 'loading'],
  ['that it waits until something is picked', undefined, waiting, 'waiting'],
  ['what was picked', undefined, picked, 'result'],
  ['the choice of a page if the person wants another one', 'page' as const, picked, 'page'],
  ['the field for a selector if the person wants to write it', 'manual' as const, waiting, 'manual'],
  [
    'the field for a selector also once the pick is over',
    'manual' as const,
    { ...waiting, over: 'gone' as const },
    'manual',
  ],
])('shows %s', (_, wish, current, expected) => {
  expect(pickViewOf(wish, current)).toBe(expected);
});
