import { expect, it } from 'vitest';
import { together } from './together.ts';

it('gives what both give', async () => {
  expect(await together(Promise.resolve(1), Promise.resolve('two'))).toEqual([1, 'two']);
});

it('throws what failed first, once both have ended', async () => {
  for (const slowerIsFirst of [true, false]) {
    const ended: string[] = [];
    const fail = async (name: string, turns: number) => {
      for (let n = 0; n < turns; n++) await null;
      ended.push(name);
      throw new Error(name);
    };
    const [one, other] = slowerIsFirst
      ? [fail('later', 200), fail('first', 1)]
      : [fail('first', 1), fail('later', 200)];
    await expect(together(one, other)).rejects.toThrow('first');
    expect(ended).toEqual(['first', 'later']);
  }
});
