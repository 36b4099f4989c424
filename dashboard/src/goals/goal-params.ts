import type { Filter } from '@usher/domain';
import type { GoalFields } from '@usher/domain/fields';

/** The types of the API have filters as objects with any keys. */
type Loaded<Goal extends GoalFields> = Omit<Goal, 'filters'> & { filters: Record<string, unknown>[] };

/** A goal as the API has returned it. */
export function readGoal<Goal extends GoalFields>(goal: Loaded<Goal>): Goal {
  return { ...goal, filters: goal.filters as unknown as Filter[] } as unknown as Goal;
}

/** The fields of a goal that a request has. */
export function goalParams({
  name,
  kind,
  event_name,
  segment_id,
  experience_id,
  experience_state,
  ...others
}: GoalFields) {
  const { filters, sum_property, within_days } = others;
  return {
    ...{ name, kind, event_name, segment_id, experience_id, experience_state, sum_property, within_days },
    filters: filters as unknown as { kind?: Filter['kind'] }[],
  };
}
