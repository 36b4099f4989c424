import { isShownIn } from '../fields/derive.ts';
import { stepFields } from '../fields/step-fields.ts';
import type { Document } from './experience.ts';

/** Whether an Experience begins as a hotspot: a pulsing dot at an element, which opens the first step when the user clicks it. */
export function beginsAsHotspot({ kind, steps: [first] }: Pick<Document, 'kind' | 'steps'>): boolean {
  return !!first?.hotspot && isShownIn(stepFields.hotspot, kind);
}
