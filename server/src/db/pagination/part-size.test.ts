import { expect, it } from 'vitest';
import { FIRST_PART, nextPartSize } from './part-size.ts';

it('looks at more rows while that is fast, and at few when each takes long', () => {
  const sizes = (msPerRow: number) => {
    const all = [FIRST_PART];
    for (let part = 0; part < 6; part++) {
      const last = all.at(-1) as number;
      all.push(nextPartSize(last, last * msPerRow));
    }
    return all;
  };
  expect(sizes(0)).toEqual([100, 400, 1600, 6400, 25_600, 64_000, 64_000]);
  expect(sizes(1)).toEqual([100, 250, 250, 250, 250, 250, 250]);
  expect(sizes(100)).toEqual([100, 10, 10, 10, 10, 10, 10]);
});
