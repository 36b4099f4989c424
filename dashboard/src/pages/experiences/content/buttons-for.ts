import type { Step } from '../../../editor/document.ts';
import { newButton } from '../../../kinds/new-parts.ts';

export type Preset = NonNullable<Step['preset']>;

const answerCounts: Partial<Record<Preset, number>> = {
  survey_two: 2,
  survey_three: 3,
  survey_four: 4,
  survey_five: 5,
};

/** The buttons of a question whose kind changes: as many as it has answers, and without empty ones. */
export function buttonsFor(step: Pick<Step, 'buttons'>, next: Preset | 'none'): { buttons?: unknown[] } {
  const count = next === 'none' ? 0 : (answerCounts[next] ?? 0);
  const written = step.buttons.filter(({ text }) => text !== null && text.trim() !== '');
  const blank = step.buttons.filter((button) => !written.includes(button));
  const wanted = Math.max(count - written.length, 0);
  const added = Array.from({ length: Math.max(wanted - blank.length, 0) }, () => newButton('', 'next'));
  if (blank.length <= wanted && added.length === 0) return {};
  const kept = step.buttons.filter((button) => written.includes(button) || blank.indexOf(button) < wanted);
  return { buttons: [...kept, ...added.map((button) => ({ ...button, text: null }))] };
}
