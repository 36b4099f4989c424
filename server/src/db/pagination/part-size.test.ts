import { expect, it } from 'vitest';
import { FIRST_PART, nextPartSize } from './part-size.ts';

it('looks at more rows while that is fast, and at few when each takes long', () => {
  const sizes = (msPerRow: number) => {
    const all = [FIRST_PART];
    for (let part = 0; part < 5; part++) {
      const last = all.at(-1) as number;
      all.push(nextPartSize(last, last * msPerRow));
    }
    return all;
  };
  expect(sizes(0)).toEqual([500, 2000, 8000, 32_000, 64_000, 64_000]);
  expect(sizes(1)).toEqual([500, 250, 250, 250, 250, 250]);
  expect(sizes(100)).toEqual([500, 25, 25, 25, 25, 25]);
});
