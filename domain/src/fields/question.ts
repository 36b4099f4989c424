import { initialValues, isShownIn, listShownFields } from './derive.ts';
import type { Preset, Question, QuestionName } from './field.ts';
import { type QuestionKind, type QuestionOption, questionFields } from './question-fields.ts';
import { OTHER_OPTION } from './rules.ts';

/*
 * What a step asks, whether it has a preset or a question. Everything that depends on the kind of question asks here.
 */

/** What a step asks, in one form for presets and questions. */
export interface AskedQuestion extends Omit<Question, 'property'> {
  /** What the step calls it: its preset, or the kind of its question. */
  name: QuestionName;
  kind: QuestionKind;
  /**
   * The answers to choose from: with their IDs for a question, with the IDs of their buttons, or with their places in a list. The
   * any-other answer is the last one.
   */
  options: QuestionOption[];
  /** What the answers are: buttons of the step, items of a list, or options of a question. */
  source: 'buttons' | 'items' | 'question';
  /** Which custom property the answer sets. */
  property: string | null;
}

interface AskingStep {
  preset: Preset | null;
  /** It is missing in documents from before questions existed. */
  question?: Partial<Question> | null;
  buttons?: readonly { id: string; text: string | null }[];
  dropdown_items?: readonly string[];
  other_text?: string | null;
}

const DEFAULT_STARS = 5;
const DEFAULT_SCALE = [1, 5] as const;

/** The preset of a step or the kind of its question. Null if it asks nothing, or only says thank you. */
export function questionNameOf({ preset, question }: Pick<AskingStep, 'preset' | 'question'>): QuestionName | null {
  if (preset !== null) return preset;
  return question?.kind ?? null;
}

/** What a step asks; undefined if it asks nothing. */
export function askOf(step: AskingStep): AskedQuestion | undefined {
  const { preset, question } = step;
  if (preset === null) return question ? askOfQuestion(completeQuestion(question)) : undefined;
  if (preset === 'thank_you') return undefined;
  const ask = { ...completeQuestion({}), name: preset, source: 'question' as const, options: [] };
  switch (preset) {
    case 'survey_nps':
      return { ...ask, kind: 'scale', min: 0, max: 10 };
    case 'survey_csat':
      return { ...ask, kind: 'scale', min: 1, max: 5, look: 'emoji' };
    case 'survey_ces':
      return { ...ask, kind: 'scale', min: 1, max: 7 };
    case 'survey_input':
      return { ...ask, kind: 'long_text', required: true };
    case 'response':
      return { ...ask, kind: 'long_text' };
    case 'survey_dropdown': {
      const items = (step.dropdown_items ?? []).map((text, at) => ({ id: String(at), text }));
      const other = step.other_text ? [{ id: String(items.length), text: step.other_text }] : [];
      return { ...ask, kind: 'single', required: true, source: 'items', options: [...items, ...other] };
    }
    default: {
      const options = (step.buttons ?? []).map(({ id, text }) => ({ id, text: text ?? '' }));
      return { ...ask, kind: 'single', source: 'buttons', options };
    }
  }
}

function askOfQuestion(question: Question): AskedQuestion {
  const { kind, options, other_text } = question;
  const has = (name: keyof Question) => isShownIn(questionFields[name], '', kind);
  const used = Object.fromEntries(
    Object.entries(questionFields).map(([name, { initial }]) => [
      name,
      has(name as keyof Question) ? question[name as keyof Question] : initial,
    ]),
  ) as Question;
  const other = other_text ? [{ id: OTHER_OPTION, text: other_text }] : [];
  return {
    ...used,
    name: kind,
    source: 'question',
    options: has('options') ? [...options, ...other] : [],
    ...(kind === 'stars' && { min: 1, max: question.max ?? DEFAULT_STARS }),
    ...(kind === 'scale' && { min: question.min ?? DEFAULT_SCALE[0], max: question.max ?? DEFAULT_SCALE[1] }),
  };
}

/** Whether the answer is a number between `min` and `max`. */
export function isNumeric({ kind }: Pick<AskedQuestion, 'kind'>): boolean {
  return kind === 'stars' || kind === 'scale';
}

/** Whether users write the answer. */
export function isWrittenAnswer({ kind }: Pick<AskedQuestion, 'kind'>): boolean {
  return kind === 'text' || kind === 'long_text' || kind === 'email';
}

/** A question with every field, in their order. */
export function completeQuestion(question: Partial<Question>): Question {
  const initial = initialValues(questionFields);
  return Object.fromEntries(
    Object.keys(initial).map((name) => [name, question[name as keyof Question] ?? initial[name]]),
  ) as Question;
}

/** The texts of a question that users read, each with its path, such as `error_text` or `options.yes`. */
export function listQuestionTexts(question: Partial<Question>): { path: string; text: string; max: number }[] {
  const { options = [] } = question;
  const texts = listShownFields(questionFields).flatMap((name) => {
    const text = question[name as 'error_text'];
    return typeof text === 'string' ? { path: name, text, max: questionFields[name as 'error_text'].max ?? 0 } : [];
  });
  const { item } = questionFields.options;
  return [...texts, ...options.map(({ id, text }) => ({ path: `options.${id}`, text, max: item?.max ?? 0 }))];
}

/** The question with other texts. A text for which none is given stays. */
export function mapQuestionTexts<Text>(
  stored: Partial<Question>,
  change: (path: string, text: string) => Text,
): Omit<Question, 'options' | 'error_text' | 'other_text' | 'label'> & {
  options: { id: string; text: Text }[];
} & Record<'error_text' | 'other_text' | 'label', Text | null> {
  const question = completeQuestion(stored);
  const texts = listShownFields(questionFields).map((name) => {
    const text = question[name as 'error_text'];
    return [name, text === null ? null : change(name, text)];
  });
  const options = question.options.map(({ id, text }) => ({ id, text: change(`options.${id}`, text) }));
  return { ...question, ...Object.fromEntries(texts), options };
}

/** Whether users can read the text at this path of a question: a choice keeps its texts when the kind changes. */
export function isShownInQuestion({ kind }: Pick<Question, 'kind'>, path: string): boolean {
  const [name = ''] = path.split('.');
  const field = Object.hasOwn(questionFields, name) ? questionFields[name as keyof typeof questionFields] : undefined;
  return field !== undefined && isShownIn(field, '', kind);
}
