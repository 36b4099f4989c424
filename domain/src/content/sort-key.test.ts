import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createIdSource } from '../basics/id.ts';
import { compareByPosition, sortKeyBetween } from './sort-key.ts';

describe('sortKeyBetween', () => {
  it('keeps the order of any moves among new Experiences', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 60 }), (moves) => {
        const newId = createIdSource(() => 1_900_000_000_000);
        const keys = Array.from({ length: 8 }, newId).sort();
        for (const [from, to] of moves) {
          keys.splice(from % keys.length, 1);
          const at = to % (keys.length + 1);
          const key = sortKeyBetween(keys[at - 1] ?? '', keys[at]) as string;
          keys.splice(at, 0, key);
          expect(keys).toEqual([...new Set(keys)].sort());
        }
      }),
    );
  });

  it('grows by one character for several moves to the same place', () => {
    let key = 'a'.repeat(24);
    for (let move = 0; move < 200; move++) key = sortKeyBetween('0', key) as string;
    expect(key.length).toBeLessThan(60);
  });

  it('returns undefined if no key fits', () => {
    for (const [low, high] of [
      ['a', 'a'],
      ['b', 'a'],
      ['', ''],
      ['a', 'a0'],
      ['a', 'a000'],
    ] as const)
      expect([low, high, sortKeyBetween(low, high)]).toEqual([low, high, undefined]);
  });
});

describe('compareByPosition', () => {
  it('compares the position first, then the sort key, then the ID', () => {
    const all = [
      { id: 'b', position: 0, sortKey: 'x' },
      { id: 'c', position: 0, sortKey: 'x' },
      { id: 'a', position: 0, sortKey: 'y' },
      { id: '0', position: 1, sortKey: '0' },
    ];
    expect([...all].reverse().sort(compareByPosition)).toEqual(all);
  });
});
