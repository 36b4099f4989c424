import type { RichText } from '@usher/domain';
import type { Ui } from '../kind.ts';
import type { AnswerField, FieldOptions } from './draw-question.ts';
import { nameKeys } from './listen-to-keys.ts';

const DEFAULT_STARS = 5;

/** Draws stars, or the numbers of a scale. */
export function drawNumbers(ui: Ui, { step, question, given, parts, onChange, choose }: FieldOptions): AnswerField {
  const { kind, min = 1, max = DEFAULT_STARS, look } = question;
  let { value } = given ?? {};
  const scale = kind === 'stars' ? { min: 1, max, look: 'stars' as const } : { min, max, ...(look && { look }) };
  const content = parts.drawScale(ui, step, scale, (chosen, button) => {
    value = chosen;
    onChange();
    paint();
    choose({ value }, button);
  });
  const [group = ui.create('div')] = content;
  const buttons = [...group.children] as HTMLElement[];
  nameKeys(buttons, scale.min);
  const paint = () => {
    for (const [at, button] of buttons.entries()) {
      const isOn = `${at + scale.min}` === value;
      mark(button, isOn);
      if (value !== undefined) button.tabIndex = isOn ? 0 : -1;
    }
  };
  paint();
  return {
    content,
    control: group,
    findWrong: () => buttons.find(({ tabIndex }) => tabIndex === 0),
    read: () => (value === undefined ? undefined : { value }),
  };
}

/** Draws a checkbox with what the user agrees to. */
export function drawConsent(ui: Ui, { question, given, onChange }: FieldOptions): AnswerField {
  let isOn = given?.value === 'true';
  const button = drawCheck(ui, question.label, () => {
    isOn = !isOn;
    mark(button, isOn);
    onChange();
  });
  mark(button, isOn);
  if (question.required) button.ariaRequired = 'true';
  return {
    content: [button],
    control: button,
    read: () => (isOn ? { value: 'true' } : question.required ? undefined : { value: 'false' }),
  };
}

export function drawCheck(ui: Ui, text: RichText | undefined, onClick: () => void): HTMLElement {
  const button = ui.button('act option check', ui.toNodes(text), onClick);
  button.role = 'checkbox';
  return button;
}

export function mark(button: HTMLElement, isOn: boolean): void {
  button.classList.toggle('on', isOn);
  button.ariaChecked = `${isOn}`;
}
