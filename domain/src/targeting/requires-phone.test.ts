import { expect, it } from 'vitest';
import { toCondition } from './condition.ts';
import { requiresPhone } from './requires-phone.ts';

const kind = (op: 'eq' | 'ne', value: string) => ({ kind: 'property', prop: 'browser_k', op, value }) as const;
const plan = { kind: 'property', prop: 'plan', op: 'eq', value: 'mobile' } as const;

it.each([
  [[kind('eq', 'mobile')], 'and', true],
  [[kind('eq', 'mobile'), plan], 'and', true],
  [[kind('eq', 'mobile'), plan], 'or', false],
  [[kind('eq', 'desktop')], 'and', false],
  [[kind('ne', 'mobile')], 'and', false],
  [[plan], 'and', false],
  [[], 'or', false],
] as const)('of %j with %s it is %s', (filters, op, expected) => {
  expect(requiresPhone(toCondition(filters, op))).toBe(expected);
});
