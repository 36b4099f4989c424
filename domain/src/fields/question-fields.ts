import { boolean, field, number, optionalWord, shownText, text, word } from './field.ts';

/*
 * What a step of a survey asks. A question is one field of a step, and its own fields are declared here. The labels of a scale and the
 * hint in an empty field are fields of the step, as for presets.
 */

/** An answer to choose. Its ID is stored with each answer, so texts and order can change. */
export interface QuestionOption {
  id: string;
  text: string;
}

/** Option IDs are words of the author. The any-other answer has one too: OTHER_OPTION. */
export const OPTION_ID_PATTERN = '[a-z0-9][a-z0-9_-]{0,39}';
export const MAX_OPTIONS = 50;
export const MAX_OPTION_TEXT = 200;

export const questionKinds = [
  'single',
  'multiple',
  'stars',
  'scale',
  'text',
  'long_text',
  'email',
  'date',
  'consent',
] as const;
export type QuestionKind = (typeof questionKinds)[number];

const choices = ['single', 'multiple'] as const;
const scales = ['stars', 'scale'] as const;
const texts = ['text', 'long_text', 'email'] as const;

export const questionFields = {
  kind: word('kind of question', questionKinds, 'single'),
  required: boolean('whether an answer is required'),
  error_text: shownText('text of the error', {
    what: 'what the user reads when the answer is missing or does not fit',
    max: 300,
  }),
  options: field<QuestionOption[]>({
    ...{ type: 'options', initial: [], name: 'answers to choose from', what: 'a list of answers with `id` and `text`' },
    ...{ max: MAX_OPTIONS, item: { name: 'answer', max: MAX_OPTION_TEXT }, questions: choices },
  }),
  other_text: shownText('name of any other answer', {
    ...{ what: 'the name of any other answer', max: 200, questions: choices },
  }),
  random_order: boolean('random order', { questions: choices }),
  min_choices: number('fewest answers', 'a number of answers', MAX_OPTIONS, { questions: ['multiple'] }),
  max_choices: number('most answers', 'a number of answers', MAX_OPTIONS, { questions: ['multiple'] }),
  min: number('lowest number', 'the lowest number of a scale: 0 or 1', 1, { questions: ['scale'] }),
  max: number('highest number', 'the highest number of a scale, or the number of stars', 11, { questions: scales }),
  look: optionalWord('look of the scale', ['numbers', 'emoji'], { questions: ['scale'] }),
  min_length: number('fewest characters', 'a number of characters', 10_000, { questions: texts }),
  max_length: number('most characters', 'a number of characters', 10_000, { questions: texts }),
  label: shownText('text of the checkbox', { max: 500, questions: ['consent'] }),
  property: text('property that the answer sets', 'the key of a custom property', { max: 255, isForServer: true }),
};
