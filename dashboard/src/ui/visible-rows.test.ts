import fc from 'fast-check';
import { expect, it } from 'vitest';
import { moveRow, visibleRows } from './visible-rows.ts';

it('covers every row that can be seen, and not many more', () => {
  const box = fc.record({
    top: fc.nat(1_000_000 * 40),
    height: fc.nat(2_000),
    rowHeight: fc.constantFrom(40, 56),
    total: fc.nat(1_000_000),
  });
  fc.assert(
    fc.property(box, (box) => {
      const { first, last } = visibleRows(box);
      expect(first).toBeGreaterThanOrEqual(0);
      expect(first).toBeLessThanOrEqual(last);
      expect(last).toBeLessThanOrEqual(box.total);
      expect(last - first).toBeLessThan(box.height / box.rowHeight + 16);
      for (const y of [box.top, box.top + Math.max(box.height - 1, 0)]) {
        const row = Math.floor(y / box.rowHeight);
        if (row < box.total) expect(first <= row && row < last).toBe(true);
      }
    }),
  );
});

it('moves within the list, and leaves other keys alone', () => {
  const at = (current: number) => ({ current, total: 100, page: 15 });
  expect(moveRow('ArrowDown', at(0))).toBe(1);
  expect(moveRow('ArrowDown', at(99))).toBe(99);
  expect(moveRow('ArrowUp', at(0))).toBe(0);
  expect(moveRow('PageDown', at(50))).toBe(65);
  expect(moveRow('PageUp', at(10))).toBe(0);
  expect(moveRow('Home', at(50))).toBe(0);
  expect(moveRow('End', at(50))).toBe(99);
  for (const key of ['a', ' ', 'Tab', 'constructor']) expect(moveRow(key, at(50))).toBe(undefined);
  expect(moveRow('End', { current: 0, total: 0, page: 15 })).toBe(undefined);
});
