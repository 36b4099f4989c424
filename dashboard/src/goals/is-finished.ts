import type { GoalFields, GoalKind } from '@usher/domain/fields';

const needs: Record<GoalKind, (goal: GoalFields) => boolean> = {
  event: ({ event_name }) => (event_name ?? '').trim() !== '',
  segment: ({ segment_id }) => segment_id !== null,
  property: ({ filters }) => filters.length > 0,
  experience: ({ experience_id }) => experience_id !== null,
};

/** Whether a goal has what its kind needs. */
export function isFinished(goal: GoalFields): boolean {
  return needs[goal.kind](goal);
}

/** The goal with a name: people may leave that to us for an event. */
export function withName(goal: GoalFields, otherwise: string): GoalFields {
  return { ...goal, name: goal.name.trim() || otherwise };
}
