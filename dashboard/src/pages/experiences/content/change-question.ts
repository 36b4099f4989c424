import {
  askOf,
  completeQuestion,
  isShownIn,
  MAX_OPTIONS,
  OTHER_OPTION,
  type QuestionKind,
  type QuestionName,
  type QuestionOption,
  questionFields,
  questionKinds,
} from '@usher/domain/fields';
import type { Command } from '../../../editor/commands.ts';
import type { Step } from '../../../editor/document.ts';
import { newButton } from '../../../kinds/new-parts.ts';
import { buttonsFor } from './buttons-for.ts';

/** What a step can ask, or nothing. */
export type Asked = QuestionName | 'none';

/** The fields of a step that asks something else. Answers that were written stay. */
export function changeQuestion(step: Step, asked: Asked): Record<string, unknown> {
  const { question } = step;
  const written = (askOf(step)?.options ?? []).filter(({ text }) => text.trim() !== '');
  if (!isKind(asked)) {
    const preset = asked === 'none' ? null : asked;
    const buttons = question ? written.map(({ text }) => newButton(text, 'next')) : step.buttons;
    const isAnswers = /^survey_(two|three|four|five)$/.test(asked);
    const from = { buttons: (isAnswers ? buttons : step.buttons) as Step['buttons'] };
    const kept = question && isAnswers ? from : {};
    const items = question && asked === 'survey_dropdown' && { dropdown_items: written.map(({ text }) => text) };
    return { preset, question: null, ...kept, ...buttonsFor(from, asked), ...items };
  }
  const before = completeQuestion(question ?? {});
  const isSameRange = before.kind === asked;
  const options = before.options.length > 0 ? before.options : optionsOf(step, written);
  const hadButtons = step.preset !== null && askOf(step)?.source === 'buttons';
  return {
    preset: null,
    question: {
      ...before,
      kind: asked,
      ...(!isSameRange && { min: null, max: null }),
      ...(isShownIn(questionFields.options, '', asked) && { options }),
      ...(step.preset === 'survey_dropdown' && { other_text: step.other_text }),
    },
    // The buttons were the answers.
    ...(hadButtons && { buttons: [] }),
  };
}

function isKind(asked: Asked): asked is QuestionKind {
  return questionKinds.some((kind) => kind === asked);
}

/** The answers of the preset, with IDs made from their texts; or two empty ones. */
function optionsOf({ preset, dropdown_items }: Step, written: readonly QuestionOption[]): QuestionOption[] {
  // The last answer of a list may be any other answer, which a question has beside its options.
  const texts = preset === 'survey_dropdown' ? dropdown_items : written.map(({ text }) => text);
  const options: QuestionOption[] = [];
  for (const text of texts.slice(0, MAX_OPTIONS)) options.push({ id: newOptionId(text, options), text });
  while (options.length < 2) options.push(newOption(options));
  return options;
}

/** An answer without a text, whose ID says its place until it has one. */
export function newOption(others: readonly QuestionOption[]): QuestionOption {
  return { id: newOptionId(`answer ${others.length + 1}`, others), text: '' };
}

/** The ID for a text: `very_disappointed`. In other scripts it is a number, because IDs have Latin letters. */
export function newOptionId(text: string, others: readonly QuestionOption[]): string {
  const taken = new Set([OTHER_OPTION, ...others.map(({ id }) => id)]);
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, 30)
    .replace(/^_+|_+$/g, '');
  const base = plain || 'answer';
  let id = plain || `${base}_${others.length + 1}`;
  for (let count = 2; taken.has(id); count++) id = `${base}_${count}`;
  return id;
}

/** Gives an option another ID, also in the rules that name it. */
export function renameOption(stepId: string, from: string, to: string): Command {
  const rename = (value: string) => (value === from ? to : value);
  return {
    apply: ({ steps }) => {
      for (const step of steps) {
        const options = step.id === stepId ? (step.question?.options ?? []) : [];
        for (const option of options) option.id = rename(option.id);
        for (const { when } of step.next ?? []) {
          if (!when || !('step_id' in when) || when.step_id !== stepId || when.value === null) continue;
          when.value = Array.isArray(when.value) ? when.value.map(rename) : rename(when.value);
        }
      }
    },
    key: `${stepId} option ${to}`,
  };
}
