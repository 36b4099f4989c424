import { expect, it } from 'vitest';
import { takeBreaks } from './take-breaks.ts';

it('lets others run when the work has taken ten milliseconds, and not before', async () => {
  let others = 0;
  const takeBreak = takeBreaks();
  expect(takeBreak()).toBeUndefined();
  setImmediate(() => others++);
  const until = performance.now() + 11;
  while (performance.now() < until);
  await takeBreak();
  expect(others).toBe(1);
  expect(takeBreak()).toBeUndefined();
});
