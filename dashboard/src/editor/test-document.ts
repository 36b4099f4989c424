import { emptyDocument } from '@usher/domain';
import { numberParts } from './diff.ts';
import { type Button, blank, type Document, type Step } from './document.ts';

/** For tests: a tour with a step for each of these, whose IDs are `a`, `b`, and so on. */
export function tourWith(...steps: (Partial<Step> | string)[]): Document {
  const made = steps.map((step, index): Step => {
    const id = String.fromCharCode(97 + index);
    const fields = typeof step === 'string' ? { title: step } : step;
    return { ...blank.steps, id, position: index, buttons: [], ...fields } as unknown as Step;
  });
  return numberParts({ ...emptyDocument('tour'), name: 'Welcome', steps: made });
}

export const buttonWith = (id: string, text: string): Button =>
  ({ ...blank.buttons, id, position: 0, text }) as unknown as Button;

export const titlesOf = ({ steps }: Document) => steps.map(({ title }) => title);
export const idsOf = ({ steps }: Document) => steps.map(({ id }) => id).join('');
