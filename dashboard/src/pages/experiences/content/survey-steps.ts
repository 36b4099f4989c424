import { findSurveyPaths } from '@usher/domain';
import { type AskedQuestion, askOf, END } from '@usher/domain/fields';
import type { Document, Step } from '../../../editor/document.ts';
import { readableText } from '../../../editor/readable-text.ts';
import * as text from '../../../messages/text.ts';
import type { EarlierAnswers } from '../../../text-editor/earlier-answers.ts';

const texts = text.content.mergeTag;

/** "Step 2: Why?", or the end of the survey. */
export function nameOfTarget(steps: readonly Step[], target: string): string {
  if (target === END) return text.content.surveyEnd;
  const at = steps.findIndex(({ id }) => id === target);
  return at < 0 ? texts.goneStep : nameOfStep(steps, at);
}

function nameOfStep(steps: readonly Step[], at: number): string {
  const title = readableText(steps[at]?.title ?? null);
  return title === '' ? text.content.step(at + 1) : texts.stepWithTitle(at + 1, title);
}

/** The answers that texts of a step, or of one of its buttons, can name. */
export function earlierAnswersOf({ steps }: Document, of: string): EarlierAnswers {
  const owner = steps.find(({ id, buttons }) => id === of || buttons.some((button) => button.id === of));
  return {
    list: () =>
      listAnsweredBefore(steps, owner?.id ?? '').map(({ step: { id } }) => ({
        stepId: id,
        name: nameOfTarget(steps, id),
      })),
    nameOf: (stepId) => (steps.some(({ id }) => id === stepId) ? nameOfTarget(steps, stepId) : undefined),
  };
}

/** A step whose answer is known. */
export interface AnsweredStep {
  step: Step;
  ask: AskedQuestion;
}

/** The steps that ask something and can come before a step. */
export function listAnsweredBefore(steps: readonly Step[], id: string): AnsweredStep[] {
  const before = findSurveyPaths(steps).before.get(id);
  return steps.flatMap((step) => {
    const ask = step.id !== id && before?.has(step.id) ? askOf(step) : undefined;
    return ask ? [{ step, ask }] : [];
  });
}

/** Where a rule of a step can go: to every step that does not come before it, so that no path leads back. */
export function listTargets(steps: readonly Step[], id: string): string[] {
  const before = findSurveyPaths(steps).before.get(id);
  return [...steps.flatMap((step) => (step.id === id || before?.has(step.id) ? [] : [step.id])), END];
}
