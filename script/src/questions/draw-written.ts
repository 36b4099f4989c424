import type { Ui } from '../kind.ts';
import type { AnswerField, FieldOptions } from './draw-question.ts';

const types: Record<string, string> = { email: 'email', date: 'date' };
const MAX_LENGTH = 10_000;

/** Draws a field in which the user writes. The browser checks addresses and dates. */
export function drawWritten(ui: Ui, { step, question, given }: FieldOptions): AnswerField {
  const { kind = '', min_length: least = 0, max_length: most = MAX_LENGTH, required } = question;
  const field = ui.create(kind === 'long_text' ? 'textarea' : 'input', {
    ...{ 'aria-label': ui.nameOf(step), placeholder: ui.toPlainText(step.placeholder), dir: 'auto' },
    ...(kind === 'date' ? { min: '1000-01-01', max: '9999-12-31' } : { maxlength: `${most}` }),
    ...(types[kind] && { type: types[kind] }),
    ...(required && { required: '' }),
  });
  field.value = given?.input ?? '';
  return {
    content: [field],
    control: field,
    read: () => {
      const input = field.value.trim();
      // A date that is not complete has no value.
      if (!input) return field.validity.badInput ? field.validationMessage : undefined;
      if (input !== field.value) field.value = input;
      return field.validationMessage || (input.length < least ? ui.label('short', least) : { input });
    },
  };
}
