import type { Question } from '../fields/field.ts';
import { askOf, completeQuestion } from '../fields/question.ts';
import type { Step } from './experience.ts';

/*
 * What keeps a question from being published.
 */

type AddProblem = (problem: string, field: string) => void;

export function checkQuestion(step: Step, addProblem: AddProblem): void {
  if (!step.question) return;
  const question = completeQuestion(step.question);
  const add: AddProblem = (problem, field) => addProblem(problem, `question.${field}`);
  if (step.preset !== null)
    addProblem('it has a preset and a question, and can have only one of them: remove one', 'question');
  checkChoices(question, add);
  checkNumbers(question, add);
  checkLengths(question, add);
  if (question.kind === 'consent' && !question.label?.trim())
    add('it asks for consent, but does not say to what: write the text of the checkbox', 'label');
}

function checkChoices(question: Question, add: AddProblem): void {
  const { kind, options, min_choices, max_choices } = question;
  if (kind !== 'single' && kind !== 'multiple') return;
  const count = askOf({ preset: null, question })?.options.length ?? 0;
  if (count < 2) add(`it has ${count === 0 ? 'no answers' : 'one answer'} to choose from: add at least two`, 'options');
  for (const [at, { text }] of options.entries())
    if (!text.trim()) add(`answer ${at + 1} has no text: write one`, `options.${at}.text`);
  if (kind === 'single') return;
  for (const [name, value] of Object.entries({ min_choices, max_choices }))
    if (value !== null && (!isWhole(value) || value > count || value < 1))
      add(`it asks for ${value} answers: give a whole number from 1 to ${count}`, name);
  if ((min_choices ?? 0) > (max_choices ?? count))
    add('the fewest answers are more than the most answers: change one of the two', 'min_choices');
}

function checkNumbers({ kind, min, max }: Question, add: AddProblem): void {
  if (kind === 'stars' && max !== null && (!isWhole(max) || max < 3 || max > 10))
    add('it has from 3 to 10 stars: give a whole number', 'max');
  if (kind !== 'scale') return;
  const { min: low, max: high } = askOf({ preset: null, question: { kind, min, max } }) ?? { min: 0, max: 0 };
  if (low !== 0 && low !== 1) add('its scale starts at 0 or 1', 'min');
  const points = (high ?? 0) - (low ?? 0) + 1;
  if (!isWhole(high ?? 0) || points < 3 || points > 11) add('its scale has from 3 to 11 points', 'max');
}

function checkLengths({ kind, min_length, max_length }: Question, add: AddProblem): void {
  if (kind !== 'text' && kind !== 'long_text' && kind !== 'email') return;
  for (const [name, value] of Object.entries({ min_length, max_length }))
    if (value !== null && !isWhole(value)) add('the number of characters must be whole', name);
  if (max_length !== null && (min_length ?? 0) > max_length)
    add('the fewest characters are more than the most characters: change one of the two', 'min_length');
}

function isWhole(value: number): boolean {
  return Number.isInteger(value);
}
