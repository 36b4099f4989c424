import Type, { type Static } from 'typebox';
import { Id, Nullable, OutputObject, standardFields, Timestamp } from '../basics/schema.ts';
import { EmbeddedProfile } from '../ingestion/profile.ts';
import { truncateBytes } from '../ingestion/value.ts';
import { type AnswerInput, type ExperienceParts, findAnswerIndex, findAnswerValue } from './interaction.ts';

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
  /** What the user wrote for the "other" item of a list. */
  other_text: Nullable(Type.String()),
};

const texts = Nullable(Type.Array(Type.String()));
const ResponseAnswer = OutputObject({ step_id: Nullable(Id), ...answerFields });
type ResponseAnswer = Static<typeof ResponseAnswer>;

export const Response = OutputObject({
  ...standardFields,
  survey_id: Id,
  profile_id: Id,
  /** The page where the first answer was given. */
  href: Nullable(Type.String()),
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
  /** The number of a scale, or the item of a list. */
  value: string | null;
  input: string | null;
}

type SurveyStep = ExperienceParts['steps'][number];
type AnswerChoice = Pick<StoredAnswer, 'button_id' | 'button_index' | 'button_text' | 'value'>;

/** The columns that an answer sets. A comment that follows a choice does not change the choice. */
export function toStoredAnswer(
  question: SurveyStep,
  params: AnswerInput,
): Partial<AnswerChoice & Pick<StoredAnswer, 'input'>> {
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
  return before.filter(({ preset }) => preset !== null && preset !== 'thank_you').length;
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
  return {
    ...first,
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
};

function toAnswerFields({ button_id, button_index, button_text, value, input }: StoredAnswer): AnswerFields {
  if (value === null || button_text !== null)
    return { ...noAnswer, button_id, button_text, button_order: button_index, input_text: input };
  // An answer that is not in the list is the "other" item.
  return button_index === null
    ? { ...noAnswer, dropdown_items: [], other_text: input ?? value }
    : { ...noAnswer, dropdown_items: [value], input_text: input };
}

function listSelected({ button_text }: AnswerFields): string[] | null {
  return button_text === null ? null : [button_text];
}
