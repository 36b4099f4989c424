import type { AnswerTest } from '../fields/rules.ts';

/*
 * Where a survey goes after a step. This file is part of the browser script.
 */

/**
 * What a user has answered, in the form that rules compare: the ID of each chosen answer, a number, `true` or `false`, or what was
 * written. Empty if the user skipped the question.
 */
export type GivenAnswer = readonly string[];

interface ReportedAnswer {
  button_id?: string;
  value?: string;
  values?: readonly string[];
  input?: string;
  /** The place of the answer in a list. */
  index?: number;
}

interface Rule {
  when?: AnswerTest | null;
  go: string;
}

/** Reads the answer that a page reports. */
export function toGivenAnswer({ button_id, value, values, input, index }: ReportedAnswer): GivenAnswer {
  const [given = index === undefined ? (value ?? input) : `${index}`] = [button_id];
  return values ?? (given === undefined ? [] : [given]);
}

/** The ID of the step after a step, or `end`. Rules about filters are evaluated before. Undefined if no rule matches. */
export function findNext(
  rules: readonly Rule[] | undefined,
  answers: ReadonlyMap<string, GivenAnswer>,
): string | undefined {
  return rules?.find(({ when }) => !when || matchesAnswer(when, answers.get(when.step_id) ?? []))?.go;
}

/** Whether an answer passes a test. A question without an answer is only unequal to anything. */
export function matchesAnswer({ op, value }: Pick<AnswerTest, 'op' | 'value'>, given: GivenAnswer): boolean {
  const wanted = [value ?? []].flat();
  const isOne = () => given.some((one) => wanted.some((other) => compare(one, other) === 0));
  const [first = ''] = given;
  const [bound = ''] = wanted;
  const order = given.length > 0 ? compare(first, bound) : Number.NaN;
  switch (op) {
    case 'answered':
      return given.length > 0;
    case 'not_answered':
      return given.length === 0;
    case 'ne':
      return !isOne();
    case 'contains':
      return given.some((one) => one.toLowerCase().includes(bound.toLowerCase()));
    case 'lt':
      return order < 0;
    case 'lte':
      return order <= 0;
    case 'gt':
      return order > 0;
    case 'gte':
      return order >= 0;
    default:
      return isOne();
  }
}

/** Numbers by their size, everything else as texts: dates are in their order then. */
function compare(one: string, other: string): number {
  const [left, right] = [Number(one), Number(other)];
  if (one.trim() && other.trim() && !Number.isNaN(left) && !Number.isNaN(right)) return left - right;
  return one < other ? -1 : one > other ? 1 : 0;
}
