import { parseIso } from '../basics/time.ts';
import { type AskedQuestion, isNumeric, isWrittenAnswer } from '../fields/question.ts';
import { OTHER_OPTION } from '../fields/rules.ts';

/*
 * Answers to the questions of steps, besides presets: what fits a question, and how it is stored.
 */

/** What a page reports as the answer to a question. */
export interface QuestionAnswer {
  button_id?: string | null | undefined;
  /** The ID of an option, a number, or `true` or `false`. */
  value?: string | null | undefined;
  /** The IDs of options. */
  values?: string[] | null | undefined;
  /** What the user wrote: the answer, or the text of any other option. A date is written as `2029-04-07`. */
  input?: string | null | undefined;
}

/** A stored choice, with its text in the source language. */
export interface Choice {
  id: string;
  text: string;
}

const MAX_INPUT = 10_000;

/** Describes why an answer does not fit a question; undefined if it fits. */
export function findQuestionProblem(ask: AskedQuestion, answer: QuestionAnswer): string | undefined {
  const { button_id = null, value = null, values = null, input = null } = answer;
  if (button_id !== null)
    return '`response.button_id` is for questions with buttons: give `value`, `values` or `input`';
  if (ask.kind === 'multiple') return findChoicesProblem(ask, values, value);
  if (values !== null) return '`response.values` is for questions with several answers: give `value` or `input`';
  if (ask.kind === 'single') return findOptionProblem(ask, value, '`response.value`');
  if (isNumeric(ask)) {
    const isNumber = value !== null && /^\d{1,2}$/.test(value) && String(Number(value)) === value;
    const fits = isNumber && Number(value) >= (ask.min ?? 0) && Number(value) <= (ask.max ?? 0);
    return fits ? undefined : `\`response.value\` must be a whole number from ${ask.min} to ${ask.max}`;
  }
  if (ask.kind === 'consent') {
    if (value === 'true' || (value === 'false' && !ask.required)) return undefined;
    return `\`response.value\` must be \`true\`${ask.required ? ': consent is required' : ' or `false`'}`;
  }
  if (value !== null) return '`response.value` is for answers to choose from: give `input`';
  return findInputProblem(ask, input ?? '');
}

function findOptionProblem({ options }: AskedQuestion, id: string | null, name: string): string | undefined {
  if (options.some((option) => option.id === id)) return undefined;
  return `${name} must be ${options.map((option) => `\`${option.id}\``).join(' or ')}`;
}

function findChoicesProblem(
  ask: AskedQuestion,
  values: readonly string[] | null,
  value: string | null,
): string | undefined {
  if (values === null || value !== null) return '`response.values` is required: give the IDs of the chosen answers';
  const unknown = values.find((id) => !ask.options.some((option) => option.id === id));
  if (unknown !== undefined) return findOptionProblem(ask, unknown, 'each of `response.values`');
  if (new Set(values).size < values.length) return '`response.values` must name each answer once';
  const [least, most] = [ask.min_choices ?? 1, ask.max_choices ?? ask.options.length];
  if (values.length >= least && values.length <= most) return undefined;
  return `\`response.values\` must hold from ${least} to ${most} answers`;
}

function findInputProblem(ask: AskedQuestion, input: string): string | undefined {
  if (input.trim() === '') return '`response.input` is required: give what the user wrote';
  if (ask.kind === 'date')
    return /^\d{4}-\d\d-\d\d$/.test(input) && parseIso(input) !== undefined
      ? undefined
      : '`response.input` must be a date such as `2029-04-07`';
  const { length } = [...input];
  const [least, most] = [ask.min_length ?? 0, ask.max_length ?? MAX_INPUT];
  // Browsers count some characters twice.
  if (length > most) return `\`response.input\` has ${length} characters: ${most} at most`;
  if (input.length < least) return `\`response.input\` has ${length} characters: ${least} at least`;
  if (ask.kind === 'email' && !/^[^\s@]+@[^\s@]+$/.test(input)) return '`response.input` must be an email address';
  return undefined;
}

/** What an answer that fits a question is stored as. */
export interface StoredQuestionAnswer {
  button_id: null;
  /** The place of the option or the number, from 0. */
  button_index: number | null;
  /** The text of the option, or the number. */
  button_text: string | null;
  value: string | null;
  input: string | null;
  /** The chosen options, as JSON. */
  choices: string | null;
}

export function storeQuestionAnswer(
  ask: AskedQuestion,
  { value, values, input }: QuestionAnswer,
): StoredQuestionAnswer {
  const none = { button_id: null, button_index: null, button_text: null, value: null, input: null, choices: null };
  if (ask.kind === 'multiple') {
    const chosen = ask.options.filter(({ id }) => values?.includes(id));
    const other = values?.includes(OTHER_OPTION) ? input?.trim() || null : null;
    return { ...none, choices: JSON.stringify(chosen), input: other };
  }
  if (ask.kind === 'single') {
    const button_index = ask.options.findIndex(({ id }) => id === value);
    const chosen = ask.options.slice(button_index, button_index + 1);
    const other = value === OTHER_OPTION ? input?.trim() || null : null;
    const button_text = chosen[0]?.text ?? null;
    return {
      ...none,
      ...{ button_index, button_text, value: value ?? null, input: other },
      choices: JSON.stringify(chosen),
    };
  }
  if (isNumeric(ask)) {
    const button_index = Number(value) - (ask.min ?? 0);
    return { ...none, button_index, button_text: value ?? null, value: value ?? null };
  }
  if (ask.kind === 'consent')
    return { ...none, button_index: Number(value === 'true'), button_text: value ?? null, value: value ?? null };
  return { ...none, input: isWrittenAnswer(ask) || ask.kind === 'date' ? (input ?? null) : null };
}

/** Reads the chosen options; null for an answer without options. */
export function readChoices(choices: string | null | undefined): Choice[] | null {
  return choices == null ? null : (JSON.parse(choices) as Choice[]);
}

/** The value of the property that an answer sets: a list for several answers, and a number or boolean where it is one. */
export function propertyValueOf(
  ask: AskedQuestion,
  { value, values, input }: QuestionAnswer,
): string | number | boolean | string[] {
  if (ask.kind === 'multiple') return (values ?? []).map((id) => (id === OTHER_OPTION ? input?.trim() || id : id));
  if (ask.kind === 'consent') return value === 'true';
  if (isNumeric(ask)) return Number(value);
  if (ask.kind === 'single') return value === OTHER_OPTION ? input?.trim() || value : (value ?? '');
  return input ?? '';
}
