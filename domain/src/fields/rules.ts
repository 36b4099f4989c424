/*
 * Where a survey goes after a step: the first rule that matches, or else the step that follows.
 */

export const answerOps = [
  ...(['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'contains'] as const),
  ...(['answered', 'not_answered'] as const),
] as const;
export type AnswerOp = (typeof answerOps)[number];

/** A test of an answer. `value` is missing for `answered` and `not_answered`, and a list for `in`. */
export interface AnswerTest {
  /** The step that was answered: its ID, or in a request also its place in the list. */
  step_id: string;
  op: AnswerOp;
  value: string | string[] | null;
}

/** The ID of any other answer. It is here, because the browser script does not have the fields of questions. */
export const OTHER_OPTION = 'other';

/** Ends the survey. */
export const END = 'end';
export const MAX_RULES = 20;
