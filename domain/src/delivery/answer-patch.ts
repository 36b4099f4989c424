import type { Millis } from '../basics/time.ts';
import { toCustomPatch } from '../content/button-write.ts';
import { askOf } from '../fields/question.ts';
import type { CustomPatch } from '../ingestion/value.ts';
import type { ExperienceParts } from './interaction.ts';
import { propertyValueOf, type QuestionAnswer } from './question-answer.ts';

/** The custom property that an answer to a published question sets. */
export function buildAnswerPatch(
  step: ExperienceParts['steps'][number],
  answer: QuestionAnswer,
  now: Millis,
): CustomPatch {
  const ask = askOf(step);
  return ask?.property ? toCustomPatch({ [ask.property]: propertyValueOf(ask, answer) }, now) : {};
}
