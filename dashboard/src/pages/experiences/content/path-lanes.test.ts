import { expect, it } from 'vitest';
import { laneCount, toLanes } from './path-lanes.ts';

it('gives each target a lane that no other uses beside it', () => {
  const paths = [
    { from: 'a', to: 'c', rule: 0 },
    { from: 'a', to: 'b' },
    { from: 'b', to: 'end', rule: 0 },
    { from: 'b', to: 'c' },
    { from: 'c', to: 'end' },
    { from: 'd', to: 'end' },
  ];
  const lanes = toLanes(paths, ['a', 'b', 'c', 'd']);
  expect(lanes.map(({ lane }) => lane)).toEqual([0, undefined, 1, undefined, 1, undefined]);
  expect(laneCount(lanes)).toBe(2);
  expect(laneCount(toLanes([{ from: 'a', to: 'end' }], ['a']))).toBe(0);
});
