import type { Condition } from './condition.ts';

/** Whether a condition can hold only for people on phones, as far as its properties say so. */
export function requiresPhone(condition: Condition | undefined): boolean {
  if (condition?.is === 'all') return condition.of.some(requiresPhone);
  if (condition?.is === 'any') return condition.of.length > 0 && condition.of.every(requiresPhone);
  if (condition?.is !== 'property' || !('fact' in condition.field)) return false;
  const { field, test } = condition;
  return field.fact.name === 'browser_k' && test.is === 'equal' && test.to.every((kind) => kind === 'mobile');
}
