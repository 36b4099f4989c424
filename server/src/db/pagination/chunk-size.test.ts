import { expect, it } from 'vitest';
import { FIRST_CHUNK, nextChunkSize } from './chunk-size.ts';

it('looks at more rows while that is fast, and at few when each takes long', () => {
  const sizes = (msPerRow: number) => {
    const all = [FIRST_CHUNK];
    for (let chunk = 0; chunk < 6; chunk++) {
      const last = all.at(-1) as number;
      all.push(nextChunkSize(last, last * msPerRow));
    }
    return all;
  };
  expect(sizes(0)).toEqual([100, 400, 1600, 6400, 25_600, 64_000, 64_000]);
  expect(sizes(1)).toEqual([100, 250, 250, 250, 250, 250, 250]);
  expect(sizes(100)).toEqual([100, 10, 10, 10, 10, 10, 10]);
});
