import { countOptions } from '@usher/domain';
import type { ShownExperience } from '../../../editor/document.ts';
import { labelOfAnswer } from './describe-results.ts';

type Step = ShownExperience['steps'][number];

/** The answers that a step offers, with what the API calls each. An item of a list is stored as its text. */
export function optionsOf(step: Step): { id: string; label: string }[] {
  const counted = countOptions(step, []);
  if (!counted) return [];
  return counted.options.map((option) => ({
    id: step.preset === 'survey_dropdown' && option.id !== 'other' ? option.text : option.id,
    label: labelOfAnswer(counted.kind, option.text),
  }));
}
