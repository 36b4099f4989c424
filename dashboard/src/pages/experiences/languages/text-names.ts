import type { ExperienceKind } from '@usher/domain';
import { hasOwnTexts, kinds } from '@usher/domain/kinds';
import { readableText } from '../../../editor/readable-text.ts';
import { fieldLabel } from '../../../messages/field-names.ts';
import * as text from '../../../messages/text.ts';
import type { SourceText, StepTexts } from './texts.ts';

const names = text.translations;
const OPTION = 'question.options.';

/** "2 What is new", or "Launcher" and "Item 1" for the parts of a launcher. The number counts from 1. */
export function stepName(kind: ExperienceKind, step: StepTexts, number: number): string {
  const name = readableText(step.name);
  // The texts of the Experience itself come first.
  const place = hasOwnTexts(kind) ? number - 1 : number;
  if (place === 0) return text.editor.kinds[kind];
  if (kinds[kind].parts === 'items') return name || names.item(place);
  return name ? names.step(place, name) : names.unnamedStep(place);
}

/** "Title", "Button 2", "Answer 1": what a text is in its step. */
export function textName({ texts }: StepTexts, source: SourceText): string {
  const { field, model_id } = source;
  const [list, index] = field.split('.');
  if (list === 'dropdown_items') return names.answer(Number(index) + 1);
  if (field.startsWith(OPTION)) {
    const options = texts.filter((one) => one.model_id === model_id && one.field.startsWith(OPTION));
    return names.answer(options.indexOf(source) + 1);
  }
  const name = field === 'text' ? names.button : fieldLabel(field);
  const same = texts.filter((one) => one.field === field);
  return same.length > 1 ? `${name} ${same.findIndex((one) => one.model_id === model_id) + 1}` : name;
}
