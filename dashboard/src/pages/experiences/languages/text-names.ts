import type { ExperienceKind } from '@usher/domain';
import { kinds } from '@usher/domain/kinds';
import { readableText } from '../../../editor/readable-text.ts';
import { fieldLabel } from '../../../messages/field-names.ts';
import * as text from '../../../messages/text.ts';
import type { SourceText, StepTexts } from './texts.ts';

const names = text.translations;

/** "2 What is new", or "Launcher" and "Item 1" for the parts of a launcher. */
export function stepName(kind: ExperienceKind, step: StepTexts, number: number): string {
  const name = readableText(step.name);
  if (kinds[kind].parts === 'items') return number === 1 ? names.launcher : name || names.item(number - 1);
  return name ? names.step(number, name) : names.unnamedStep(number);
}

/** "Title", "Button 2", "Answer 1": what a text is in its step. */
export function textName({ texts }: StepTexts, source: SourceText): string {
  const { field, model_id } = source;
  const [list, index] = field.split('.');
  if (list === 'dropdown_items') return names.answer(Number(index) + 1);
  const name = field === 'text' ? names.button : fieldLabel(field);
  const same = texts.filter((one) => one.field === field);
  return same.length > 1 ? `${name} ${same.findIndex((one) => one.model_id === model_id) + 1}` : name;
}
