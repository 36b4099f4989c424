import {
  MAX_OPTION_TEXT,
  MAX_OPTIONS,
  OPTION_ID_PATTERN,
  OTHER_OPTION,
  type QuestionOption,
} from '@usher/domain/fields';
import { type KeyboardEvent, useRef, useState } from 'react';
import type { Step } from '../../../editor/document.ts';
import type { Editor } from '../../../editor/use-editor.ts';
import { fieldMark } from '../../../fields/field-focus.ts';
import { fieldsOf } from '../../../fields/fields-of.ts';
import { MovableList } from '../../../lists/movable-list.tsx';
import * as text from '../../../messages/text.ts';
import { Fold } from '../../../ui/fold.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { newOption, newOptionId, renameOption } from './change-question.ts';

const texts = text.questions.options;

interface OptionListProps {
  editor: Editor;
  step: Step;
  /** The IDs of answers whose ID is still to be made from their text. */
  fresh: Set<string>;
}

/** The answers to choose from: write, add, move and remove them. */
export function OptionList({ editor, step, fresh }: OptionListProps) {
  const { isReadOnly } = editor;
  const fields = fieldsOf(editor, step.id, step, 'question');
  const options = step.question?.options ?? [];
  const root = useRef<HTMLOListElement>(null);
  const set = (next: readonly QuestionOption[], isOwnStep = true) => fields.set({ options: next }, isOwnStep);
  const focus = (index: number) =>
    requestAnimationFrame(() => root.current?.querySelectorAll<HTMLElement>('input')[index]?.focus());
  const add = (at = options.length) => {
    if (options.length >= MAX_OPTIONS) return;
    const option = newOption(options);
    fresh.add(option.id);
    set(options.toSpliced(at, 0, option));
    focus(at);
  };
  const remove = (at: number) => {
    set(options.toSpliced(at, 1));
    focus(Math.min(at, options.length - 2));
  };
  const write = (at: number, written: string) =>
    set(
      options.map((option, index) => (index === at ? { ...option, text: written } : option)),
      false,
    );
  /** A new answer gets its ID when its text is written. Nothing can name the ID before. */
  const finish = ({ id, text: written }: QuestionOption) => {
    if (!fresh.has(id) || written.trim() === '') return;
    fresh.delete(id);
    const others = options.filter((option) => option.id !== id);
    editor.change(renameOption(step.id, id, newOptionId(written, others)));
  };
  /** Enter adds the next answer. */
  const onKey = (event: KeyboardEvent, { text: written }: QuestionOption, at: number) => {
    if (isReadOnly || event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    if (written.trim() !== '') add(at + 1);
  };
  const { error } = fields.choice('options');
  return (
    <section className="flex flex-col gap-2" {...fieldMark(step.id, 'question.options')}>
      <h3 className="text-13 font-medium">{texts.title}</h3>
      <MovableList
        {...{ root, isReadOnly, title: texts.title, items: options, max: MAX_OPTIONS, words: texts }}
        onChange={set}
        onMoved={focus}
        onRemove={remove}
        onAdd={add}
        className="gap-1.5"
        rowLook="flex items-center gap-1"
        rowProps={(option, index) => ({
          onKeyDown: (event) => onKey(event, option, index),
          onBlur: () => finish(option),
          ...fieldMark(step.id, `question.options.${index}`),
        })}
        renderRow={(option, index, { handle, menu }) => (
          <>
            {handle}
            <div className="min-w-0 flex-1" {...fieldMark(step.id, `question.options.${option.id}`)}>
              <TextField
                label={texts.text(index + 1)}
                value={option.text}
                onChange={(written) => write(index, written)}
                maxLength={MAX_OPTION_TEXT}
                isReadOnly={isReadOnly}
                error={fields.choice(`options.${index}.text`).error}
                className="[&>:first-child]:sr-only"
              />
            </div>
            {menu}
          </>
        )}
      >
        {error !== undefined && <p className="text-13 text-bad">{error}</p>}
      </MovableList>
    </section>
  );
}

const idPattern = new RegExp(`^${OPTION_ID_PATTERN}$`);

/** The IDs of the answers. They only change here. */
export function OptionIds({ editor, step }: { editor: Editor; step: Step }) {
  const options = step.question?.options ?? [];
  if (options.length === 0) return null;
  return (
    <Fold title={texts.ids}>
      <p className="text-13 text-soft">{texts.idsHelp}</p>
      {options.map((option, index) => (
        <OptionId
          // biome-ignore lint/suspicious/noArrayIndexKey: a new ID must not replace the field
          key={index}
          label={texts.id(option.text, index + 1)}
          id={option.id}
          isTaken={(id) => id === OTHER_OPTION || options.some((one, at) => at !== index && one.id === id)}
          onChange={(id) => editor.change(renameOption(step.id, option.id, id))}
          isReadOnly={editor.isReadOnly}
        />
      ))}
    </Fold>
  );
}

interface OptionIdProps {
  label: string;
  id: string;
  isTaken: (id: string) => boolean;
  onChange: (id: string) => void;
  isReadOnly: boolean;
}

/** An ID is stored when the field is left, so that no half of one gets into rules. */
function OptionId({ label, id, isTaken, onChange, isReadOnly }: OptionIdProps) {
  const [typed, setTyped] = useState<string>();
  const isWrong = typed !== undefined && (!idPattern.test(typed) || isTaken(typed));
  return (
    <TextField
      label={label}
      value={typed ?? id}
      onChange={setTyped}
      onBlur={() => {
        if (typed !== undefined && typed !== id && !isWrong) onChange(typed);
        if (!isWrong) setTyped(undefined);
      }}
      {...(isWrong && { error: texts.idProblem })}
      isReadOnly={isReadOnly}
      spellCheck="false"
      className="[&_input]:font-mono"
    />
  );
}
