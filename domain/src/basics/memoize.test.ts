import { expect, it } from 'vitest';
import { memoize } from './memoize.ts';

it('computes each result once, also when it is undefined', () => {
  const calls: string[] = [];
  const find = memoize((text) => {
    calls.push(text);
    return text === 'nothing' ? undefined : { text };
  });
  expect(find('a')).toBe(find('a'));
  expect([find('nothing'), find('nothing')]).toEqual([undefined, undefined]);
  expect(calls).toEqual(['a', 'nothing']);
});

it('drops its entries when there are too many, and does not cache long keys', () => {
  let calls = 0;
  const find = memoize(() => ++calls);
  const long = 'x'.repeat(301);
  expect([find(long), find(long)]).toEqual([1, 2]);
  find('first');
  for (let n = 0; n < 1000; n++) find(`number ${n}`);
  const before = calls;
  find('first');
  expect(calls).toBe(before + 1);
});
