import Type, { type Static } from 'typebox';
import { Id, Nullable, OneOf, OutputObject, standardFields, Timestamp } from '../basics/schema.ts';
import { askOf } from '../fields/question.ts';
import { OTHER_OPTION } from '../fields/rules.ts';
import { EmbeddedProfile } from '../ingestion/profile.ts';
import { truncateBytes } from '../ingestion/value.ts';
import { type AnswerInput, type ExperienceParts, findAnswerIndex, findAnswerValue } from './interaction.ts';
import { readChoices, storeQuestionAnswer } from './question-answer.ts';

/*
 * A Response has all answers of one user in one showing of a survey. It is stored as one answer for each step. The API
 * shows it flat: the first question of the survey, then its two follow-ups.
 */

/** What a user writes is stored up to this size. A text of 10,000 characters fits if most of them take one byte. */
const MAX_INPUT_BYTES = 16 * 1024;

const answerFields = {
  button_id: Nullable(Id),
  /** The text in the source language of the survey, or the number of a scale. */
  button_text: Nullable(Type.String()),
  /** 0 is the first button, or the lowest number of a scale. */
  button_order: Nullable(Type.Integer()),
  input_text: Nullable(Type.String()),
  /** The item in the source language. Empty when the user chose the "other" item; null when the step has no list. */
  dropdown_items: Nullable(Type.Array(Type.String())),
  /** What the user wrote for the "other" item of a list, or for any other answer. */
  other_text: Nullable(Type.String()),
};
const texts = Nullable(Type.Array(Type.String()));
/** The IDs of the chosen answers, for questions whose answers have IDs. */
const option_ids = texts;

const ResponseAnswer = OutputObject({ step_id: Nullable(Id), ...answerFields, option_ids });
type ResponseAnswer = Static<typeof ResponseAnswer>;

const responseSources = ['page', 'link'] as const;

export function responseSourceOf({ link_id }: { link_id: string | null }): (typeof responseSources)[number] {
  return link_id === null ? 'page' : 'link';
}

export const Response = OutputObject({
  ...standardFields,
  survey_id: Id,
  profile_id: Id,
  /** The page where the first answer was given. */
  href: Nullable(Type.String()),
  /** Where it was answered: on a page of the product, or on the public page of the survey. */
  source: OneOf(responseSources),
  ...answerFields,
  /** `dropdown_items` of the last list that the user answered. */
  last_dropdown_items: texts,
  comment_step_input_text2: Nullable(Type.String()),
  comment_step_dropdown_items: texts,
  comment_step_other_text: Nullable(Type.String()),
  comment_step_dropdown_items2: texts,
  comment_step_other_text2: Nullable(Type.String()),
  comment_step_buttons_selected: texts,
  comment_step_buttons_selected2: texts,
  /** When the showing ended; null while the user may still answer. */
  finished_at: Nullable(Timestamp),
  /** One for each step that was answered, in the order of the survey. */
  answers: Type.Array(ResponseAnswer),
  profile: EmbeddedProfile,
  /** Only if the request asks for details. */
  details: Type.Optional(
    OutputObject({
      /** The first number that was given: of a scale, or of stars. */
      score: Nullable(Type.Integer()),
      /** The first text that was written. */
      comment: Nullable(Type.String()),
      /** The language in which the survey was shown, or `default`. Null if it was not stored. */
      language: Nullable(Type.String()),
      tags: Type.Array(Type.String()),
      /** The link or the browser that it came from; null on a page of the product. */
      link_id: Nullable(Type.String()),
      /** The Segments that the user was in, of a survey that ends after some Responses of each. */
      segment_ids: Type.Array(Id),
      /** The requested properties of the user. */
      properties: Type.Record(Type.String(), Type.Unknown()),
    }),
  ),
});
export type Response = Static<typeof Response>;

/** The stored answer of one step. */
export interface StoredAnswer {
  step_id: string;
  /** The index of the question in the survey: 0 is the first, the others are its follow-ups. */
  question_order: number;
  button_id: string | null;
  /** The index of the button, the number of the scale or the item of the list. */
  button_index: number | null;
  button_text: string | null;
  /** The number of a scale, the item of a list, or the ID of the answer. */
  value: string | null;
  input: string | null;
  /** The chosen options of a question, as JSON. */
  choices: string | null;
}

type SurveyStep = ExperienceParts['steps'][number];
type AnswerChoice = Pick<StoredAnswer, 'button_id' | 'button_index' | 'button_text' | 'value'>;

/** The columns that an answer sets. A comment that follows a choice does not change the choice. */
export function toStoredAnswer(
  question: SurveyStep,
  params: AnswerInput,
): Partial<AnswerChoice & Pick<StoredAnswer, 'input' | 'choices'>> {
  const ask = askOf(question);
  if (ask?.source === 'question' && question.preset === null) {
    const stored = storeQuestionAnswer(ask, params);
    return { ...stored, input: stored.input === null ? null : truncateBytes(stored.input, MAX_INPUT_BYTES) };
  }
  const { button_id = null, input = null } = params;
  const value = findAnswerValue(question, params);
  const { text = null } = question.buttons.find(({ id }) => id === button_id) ?? {};
  const isList = question.preset === 'survey_dropdown';
  const chosen = {
    button_id,
    value,
    button_index: findAnswerIndex(question, params),
    button_text: button_id === null && !isList ? value : text,
  };
  return {
    ...((button_id !== null || value !== null) && chosen),
    ...(input !== null && { input: truncateBytes(input, MAX_INPUT_BYTES) }),
  };
}

/** The index of the question of a step in the survey, from 0. */
export function findQuestionOrder({ id }: SurveyStep, { steps }: ExperienceParts): number {
  const before = steps.slice(
    0,
    steps.findIndex((step) => step.id === id),
  );
  return before.filter(askOf).length;
}

/** What the user wrote in an answer: a text of their own, or the other answer of a list. */
export function writtenIn({
  input,
  value,
  button_index,
  button_text,
}: Omit<StoredAnswer, 'step_id' | 'question_order' | 'button_id' | 'choices'>): string | null {
  return input ?? (button_index === null && button_text === null ? value : null);
}

/** The fields of a Response from its answers, which are in the order of the survey. */
export function toResponseFields(stored: readonly StoredAnswer[]) {
  const [first, second, third] = [0, 1, 2].map((order) => {
    const answer = stored.find(({ question_order }) => question_order === order);
    return answer ? toAnswerFields(answer) : noAnswer;
  }) as [AnswerFields, AnswerFields, AnswerFields];
  // The first text is the comment on the answer, whichever step has the question for it.
  const comments = first.input_text === null ? [second, third] : [first, second.input_text === null ? third : second];
  const answers = stored.map(
    (answer): ResponseAnswer => ({ step_id: answer.step_id || null, ...toAnswerFields(answer) }),
  );
  const { option_ids: _, ...firstFields } = first;
  return {
    ...firstFields,
    last_dropdown_items: answers.findLast(({ dropdown_items }) => dropdown_items !== null)?.dropdown_items ?? null,
    input_text: comments[0]?.input_text ?? null,
    comment_step_input_text2: comments[1]?.input_text ?? null,
    comment_step_dropdown_items: second.dropdown_items,
    comment_step_other_text: second.other_text,
    comment_step_dropdown_items2: third.dropdown_items,
    comment_step_other_text2: third.other_text,
    comment_step_buttons_selected: listSelected(second),
    comment_step_buttons_selected2: listSelected(third),
    answers,
  };
}

type AnswerFields = Omit<ResponseAnswer, 'step_id'>;
const noAnswer: AnswerFields = {
  button_id: null,
  button_text: null,
  button_order: null,
  input_text: null,
  dropdown_items: null,
  other_text: null,
  option_ids: null,
};

function toAnswerFields({ choices, ...answer }: StoredAnswer): AnswerFields {
  const { button_id, button_index, button_text, value, input } = answer;
  const chosen = readChoices(choices);
  if (chosen) {
    const option_ids = chosen.map(({ id }) => id);
    const own = { ...noAnswer, option_ids, other_text: option_ids.includes(OTHER_OPTION) ? input : null };
    if (value !== null) return { ...own, button_text, button_order: button_index };
    return { ...own, dropdown_items: chosen.filter(({ id }) => id !== OTHER_OPTION).map(({ text }) => text) };
  }
  if (value === null || button_text !== null)
    return { ...noAnswer, button_id, button_text, button_order: button_index, input_text: input };
  // An answer that is not in the list is the "other" item.
  return button_index === null
    ? { ...noAnswer, dropdown_items: [], other_text: input ?? value }
    : { ...noAnswer, dropdown_items: [value], input_text: input };
}

function listSelected({ button_text, dropdown_items, option_ids }: AnswerFields): string[] | null {
  if (option_ids && dropdown_items) return dropdown_items;
  return button_text === null ? null : [button_text];
}
