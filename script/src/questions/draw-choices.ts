import { OTHER_OPTION } from '../../../domain/src/fields/rules.ts';
import type { Ui } from '../kind.ts';
import { drawCheck, mark } from './draw-marks.ts';
import type { AnswerField, FieldOptions } from './draw-question.ts';
import { nameKeys } from './listen-to-keys.ts';

const MAX_OTHER = '10000';

/** Draws answers to choose from: radio buttons, or checkboxes for several answers. */
export function drawChoices(ui: Ui, { step, question, given, parts, onChange, choose }: FieldOptions): AnswerField {
  const { kind, options = [], other_text, min_choices: least = 1 } = question;
  const isMultiple = kind === 'multiple';
  const choices = [...options, ...(other_text ? [{ id: OTHER_OPTION, text: other_text }] : [])];
  const most = question.max_choices ?? choices.length;
  const chosen = new Set(given?.values ?? (given?.value === undefined ? [] : [given.value]));
  const name = ui.toPlainText(other_text);
  const other = ui.create('input', { 'aria-label': name, placeholder: name, maxlength: MAX_OTHER, dir: 'auto' });
  other.required = true;
  other.value = given?.input ?? '';
  const needsText = () => chosen.has(OTHER_OPTION) && !other.value.trim();

  const toggle = (id: string, button: HTMLElement) => {
    if (!isMultiple) chosen.clear();
    if (!chosen.delete(id)) {
      if (chosen.size >= most) return;
      chosen.add(id);
    }
    onChange();
    paint();
    if (id === OTHER_OPTION && chosen.has(id)) other.focus();
    else if (!isMultiple) choose({ value: id }, button);
  };
  const buttons = choices.map(({ id, text }) => {
    const onClick = () => toggle(id, button);
    const button = isMultiple ? drawCheck(ui, text, onClick) : ui.button('act option', ui.toNodes(text), onClick);
    return button;
  });
  nameKeys(buttons);
  const label = { class: 'options', role: 'group', 'aria-label': ui.nameOf(step) };
  const group = isMultiple ? ui.create('div', label, ...buttons) : parts.drawRadios(ui, step, 'options', buttons);

  const paint = () => {
    const isFull = isMultiple && chosen.size >= most;
    for (const [at, button] of buttons.entries()) {
      const isOn = chosen.has(choices[at]?.id ?? '');
      mark(button, isOn);
      button.ariaDisabled = isFull && !isOn ? 'true' : null;
      if (!isMultiple && chosen.size > 0) button.tabIndex = isOn ? 0 : -1;
    }
    if (!chosen.has(OTHER_OPTION)) other.remove();
    else if (!other.parentNode) group.after(other);
  };
  paint();

  return {
    content: [group, ...(chosen.has(OTHER_OPTION) ? [other] : [])],
    control: group,
    findWrong: () =>
      needsText() ? other : buttons.find(({ tabIndex, ariaDisabled }) => tabIndex === 0 && !ariaDisabled),
    read: () => {
      if (chosen.size === 0) return undefined;
      if (isMultiple && chosen.size < least) return ui.label('few', least);
      other.value = other.value.trim();
      if (needsText()) return other.validationMessage;
      const values = choices.flatMap(({ id }) => (chosen.has(id) ? [id] : []));
      const input = chosen.has(OTHER_OPTION) && { input: other.value };
      return isMultiple ? { values, ...input } : { value: `${values[0]}`, ...input };
    },
  };
}
