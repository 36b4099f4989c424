import { expect, it } from 'vitest';
import { memoize } from './memoize.ts';

it('finds each answer once, also when it is none', () => {
  const asked: string[] = [];
  const find = memoize((text) => {
    asked.push(text);
    return text === 'nothing' ? undefined : { text };
  });
  expect(find('a')).toBe(find('a'));
  expect([find('nothing'), find('nothing')]).toEqual([undefined, undefined]);
  expect(asked).toEqual(['a', 'nothing']);
});

it('keeps neither very many answers nor those to long questions', () => {
  let asked = 0;
  const find = memoize(() => ++asked);
  const long = 'x'.repeat(301);
  expect([find(long), find(long)]).toEqual([1, 2]);
  find('first');
  for (let n = 0; n < 1000; n++) find(`number ${n}`);
  const before = asked;
  find('first');
  expect(asked).toBe(before + 1);
});
