import { addProblem } from '../basics/input.ts';
import type { Field, NextRule, Question } from '../fields/field.ts';
import { completeQuestion } from '../fields/question.ts';
import type { AnswerOp } from '../fields/rules.ts';
import { OTHER_OPTION } from '../fields/rules.ts';
import type { Filter } from '../targeting/filter.ts';

/*
 * Stores the fields of a step that are more than one value: what it asks, and where the survey goes next. A draft may be incomplete,
 * so publishing checks the rest.
 */

/** The value of a field as it is stored. */
export function toStoredField(field: Field | undefined, value: unknown, path: string, problems: string[]): unknown {
  if (field?.type === 'question' && value) return writeQuestion(value as Partial<Question>, path, problems);
  if (field?.type === 'rules')
    return (value as RuleInput[]).map((rule, at) => writeRule(rule, `${path}[${at}]`, problems));
  return value;
}

function writeQuestion(input: Partial<Question>, path: string, problems: string[]): Question {
  const question = completeQuestion(input);
  const known = new Set<string>([OTHER_OPTION]);
  for (const [at, { id }] of question.options.entries()) {
    if (known.has(id))
      addProblem(
        problems,
        `${path}.options[${at}].id`,
        id === OTHER_OPTION ? 'is `other`, which stands for any other answer' : `is \`${id}\`, as another answer`,
      );
    known.add(id);
  }
  return question;
}

interface RuleInput {
  when?: { step_id?: string; op?: AnswerOp; value?: string | string[] | null; filters?: Filter[] } | null;
  go: string;
}

/** A test without an operator asks for an equal answer. */
function writeRule({ when = null, go }: RuleInput, path: string, problems: string[]): NextRule {
  if (!when) return { when: null, go };
  const { step_id, op = 'eq', value = null, filters } = when;
  if ((step_id === undefined) === (filters === undefined))
    addProblem(problems, `${path}.when`, 'must have either `step_id`, `op` and `value`, or `filters`');
  // No filters at all match always.
  if (filters) return { when: filters.length > 0 ? { filters } : null, go };
  const needsValue = op !== 'answered' && op !== 'not_answered';
  if (needsValue && value === null)
    addProblem(problems, `${path}.when.value`, 'is required: give the answer to compare with');
  if (Array.isArray(value) && op !== 'in')
    addProblem(problems, `${path}.when.value`, `must be one answer: only \`in\` takes a list`);
  const list = op === 'in' && typeof value === 'string' ? [value] : value;
  return { when: { step_id: step_id ?? '', op, value: needsValue ? list : null }, go };
}
