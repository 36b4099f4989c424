import { initialValues } from '../fields/derive.ts';
import type { EventTrigger, Fields, FieldType, NextRule, Question } from '../fields/field.ts';
import { type ExperienceGoal, goalFields } from '../fields/goal-fields.ts';
import { completeQuestion } from '../fields/question.ts';
import type { Filter } from '../targeting/filter.ts';

/**
 * The stored value of a field with all its keys, in their order: a Change has no empty lists, and PostgreSQL changes the order of
 * keys.
 */
export function completeField(type: FieldType | undefined, value: unknown): unknown {
  if (type === 'question' && value) return completeQuestion(value as Partial<Question>);
  if (type === 'rules') return (value as NextRule[]).map(completeRule);
  if (type === 'filters') return completeFilters(value as Filter[]);
  if (type === 'goals') return (value as ExperienceGoal[]).map(completeGoal);
  return type === 'event' && value ? completeEvent(value as EventTrigger) : value;
}

/** A Change has no empty lists, and PostgreSQL changes the order of keys. */
function completeGoal({ id, goal_id, primary, ...fields }: ExperienceGoal): ExperienceGoal {
  const values = Object.entries({ ...initialValues(goalFields), ...fields }).map(([name, value]) => [
    name,
    completeField((goalFields as Fields)[name]?.type, value),
  ]);
  return { id, goal_id, primary, ...Object.fromEntries(values) };
}

function completeRule({ when, go }: NextRule): NextRule {
  if (!when) return { when: null, go };
  if (!('step_id' in when)) return { when: { filters: completeFilters(when.filters) }, go };
  const { step_id, op, value } = when;
  return { when: { step_id, op, value: value ?? (op === 'in' ? [] : null) }, go };
}

function completeEvent({ name, filters, delay_seconds, within_seconds }: EventTrigger): EventTrigger {
  return { name, filters: completeFilters(filters), delay_seconds, within_seconds };
}

function completeFilters(filters: Filter[] | undefined): Filter[] {
  return (filters ?? []).map((filter) =>
    filter.kind === 'group' ? { ...filter, filters: completeFilters(filter.filters) } : filter,
  );
}
