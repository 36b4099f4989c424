import { expect, it, vi } from 'vitest';
import { shareFor } from './share-for.ts';

it('loads again after the time, or after a failure', async () => {
  let calls = 0;
  const load = shareFor(20, async () => {
    calls += 1;
    if (calls === 2) throw new Error('not now');
    return calls;
  });
  expect(await Promise.all([load(), load()])).toEqual([1, 1]);
  await vi.waitFor(() => expect(load()).rejects.toThrow('not now'), { interval: 5 });
  expect(await load()).toBe(3);
  expect(await load()).toBe(3);
});
