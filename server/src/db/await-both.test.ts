import { expect, it } from 'vitest';
import { awaitBoth } from './await-both.ts';

it('returns both results', async () => {
  expect(await awaitBoth(Promise.resolve(1), Promise.resolve('two'))).toEqual([1, 'two']);
});

it('throws the first error, after both have ended', async () => {
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
    await expect(awaitBoth(one, other)).rejects.toThrow('first');
    expect(ended).toEqual(['first', 'later']);
  }
});
