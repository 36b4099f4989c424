import { expect, it } from 'vitest';
import { planList } from './plan-list.ts';

const linesOf = (...params: Parameters<typeof planList>) => {
  const plan = planList(...params);
  if ('problem' in plan) return plan.problem;
  return plan.entries.map(({ id, isNew, isDropped }) => `${id}${isNew ? '*' : ''}${isDropped ? '-' : ''}`);
};

it('shows where the new one goes, what is dropped, and when it is rejected', () => {
  expect(linesOf(['a', 'b'], 'first', 3, 'error')).toEqual(['new*', 'a', 'b']);
  expect(linesOf(['a', 'b'], 1, 3, 'error')).toEqual(['a', 'new*', 'b']);
  expect(linesOf(['a', 'b', 'c'], 'first', 3, 'error')).toBe('rejected');
  expect(linesOf(['a', 'b', 'c'], 'first', 3, 'drop')).toEqual(['new*', 'a', 'b', 'c-']);
  expect(linesOf(['a', 'b', 'c'], 'last', 3, 'drop')).toBe('noRoom');
  // The limit was lowered after these Deliveries were created.
  expect(linesOf(['a', 'b', 'c'], 0, 1, 'drop')).toEqual(['new*', 'a-', 'b-', 'c-']);
});
