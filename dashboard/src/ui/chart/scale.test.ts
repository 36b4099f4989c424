import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plotOf } from './plot.ts';
import { labeledColumns, scaleOf } from './scale.ts';

it.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [4, [0, 1, 2, 3, 4]],
  [7, [0, 2, 4, 6, 8]],
  [97, [0, 50, 100]],
  [1204, [0, 500, 1000, 1500]],
])('labels an axis up to %i with %j', (largest, ticks) => {
  expect(scaleOf(largest).ticks).toEqual(ticks);
});

it('begins every axis with 0, ends it above the largest value, and labels few whole numbers', () => {
  fc.assert(
    fc.property(fc.nat(10_000_000), (largest) => {
      const { max, ticks } = scaleOf(largest);
      expect(ticks[0]).toBe(0);
      expect(ticks.at(-1)).toBe(max);
      expect(max).toBeGreaterThanOrEqual(largest);
      expect(max).toBeLessThanOrEqual(Math.max(largest, 1) * 2);
      expect(ticks.length).toBeLessThanOrEqual(5);
      expect(ticks.every(Number.isInteger)).toBe(true);
    }),
  );
});

it('labels the last column, and no two so close that they touch', () => {
  expect([...labeledColumns(7, 700, 60)]).toEqual([6, 5, 4, 3, 2, 1, 0]);
  expect([...labeledColumns(30, 300, 60)]).toEqual([29, 23, 17, 11, 5]);
  expect([...labeledColumns(1, 10, 60)]).toEqual([0]);
});

it.each([7, 30, 90])('leaves room for a label of 76 pixels that is centered under the last of %i days', (count) => {
  for (const width of [320, 640, 1200]) {
    const plot = plotOf([], count, width, String, 76);
    expect(plot.x(count - 1) + 76 / 2).toBeLessThanOrEqual(width + 0.001);
    const [last = 0, next = 0] = [...labeledColumns(count, plot.right - plot.left, 66)];
    expect(plot.x(last) - plot.x(next)).toBeGreaterThanOrEqual(66);
  }
});
