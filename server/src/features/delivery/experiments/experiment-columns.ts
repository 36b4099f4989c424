import type { ExperimentValues } from '@usher/domain';
import type { ExperimentRow } from '../experiment-records/queries.ts';

/** The columns that parameters write. */
export function experimentColumns({
  variants,
  segment_ids,
  goal_ids,
  guardrail_goal_ids,
  ...values
}: ExperimentValues) {
  return {
    ...values,
    variants: JSON.stringify(variants),
    segment_ids: JSON.stringify(segment_ids),
    goal_ids: JSON.stringify(goal_ids),
    guardrail_goal_ids: JSON.stringify(guardrail_goal_ids),
  };
}

export function valuesOf(row: ExperimentRow): ExperimentValues {
  const { name, description, segment_ids, segments_op, goal_ids, guardrail_goal_ids } = row;
  // PostgreSQL reorders the keys of JSON.
  const variants = row.variants.map(({ id, name, experience_id, share }) => ({ id, name, experience_id, share }));
  const { window_days, smallest_change } = row;
  return {
    ...{ name, description, variants, segment_ids, segments_op, goal_ids, guardrail_goal_ids },
    ...{ window_days, smallest_change },
  };
}

/** The shares in the order of the variants. */
export function sharesOf({ variants }: Pick<ExperimentValues, 'variants'>): number[] {
  return variants.map(({ share }) => share);
}
