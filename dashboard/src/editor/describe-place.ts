import { fieldLabel } from '../messages/field-names.ts';
import * as text from '../messages/text.ts';
import type { Document } from './document.ts';
import type { Clash } from './merge.ts';

const texts = text.content;

/** Names a field for people: "Step 2, Title". */
export function describePlace({ steps, items = [] }: Document, { of, field }: Pick<Clash, 'of' | 'field'>): string {
  const name = fieldLabel(field);
  const step = steps.findIndex(({ id, buttons }) => id === of || buttons.some((button) => button.id === of));
  const item = items.findIndex(({ id }) => id === of);
  if (item >= 0) return `${texts.item(item + 1)}, ${name}:`;
  if (step < 0) return `${name}:`;
  const button = steps[step]?.buttons.findIndex(({ id }) => id === of) ?? -1;
  return [texts.step(step + 1), ...(button >= 0 ? [texts.button(button + 1)] : []), name].join(', ').concat(':');
}
