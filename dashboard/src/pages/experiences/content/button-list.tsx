import { kinds } from '@usher/domain/kinds';
import { ArrowDown, ArrowUp, Ellipsis, Plus, Trash2 } from 'lucide-react';
import { addPart, maxOf, movePart, removePart } from '../../../editor/commands.ts';
import type { Document, Step, Button as StepButton } from '../../../editor/document.ts';
import type { Editor } from '../../../editor/use-editor.ts';
import { fieldMark } from '../../../fields/field-focus.ts';
import { fieldsOf } from '../../../fields/fields-of.ts';
import * as text from '../../../messages/text.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Fold } from '../../../ui/fold.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { Select } from '../../../ui/select.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { ButtonActions, chooseAction, describeActions, onlyOpensPage, PageFields } from './button-actions.tsx';
import { RichField } from './rich-field.tsx';
import type { Selection } from './use-selection.ts';

const texts = text.content;

/** The buttons of a step, or the answers of a question. */
export function ButtonList({ editor, step, selection }: { editor: Editor; step: Step; selection: Selection }) {
  const { kind } = editor.document;
  const isFull = step.buttons.length >= maxOf(step.id);
  const add = () => {
    const command = addPart(step.id, { tour_action: defaultAction(editor.document, step) });
    editor.change(command);
    selection.goTo(command.id, 'text');
  };
  return (
    <section className="flex flex-col gap-2 border-t border-line pt-3" {...fieldMark(step.id, 'buttons')}>
      <h3 className="text-13 font-medium">{isAnswers(kind, step) ? texts.answers : texts.buttons}</h3>
      {step.buttons.map((button, index) => (
        <OneButton key={button.id} editor={editor} step={step} button={button} index={index} />
      ))}
      {!editor.isReadOnly && (
        <Button look="quiet" size="small" icon={Plus} isDisabled={isFull} onPress={add} className="self-start">
          {isAnswers(kind, step) ? texts.addAnswer : texts.addButton}
        </Button>
      )}
    </section>
  );
}

function isAnswers(kind: Document['kind'], { preset }: Step): boolean {
  return !!kinds[kind].asks && /^survey_(two|three|four|five)$/.test(preset ?? '');
}

/** A button of the last step ends the tour; all others go to the next step. */
function defaultAction({ kind, steps }: Document, step: Step): StepButton['tour_action'] {
  if (!kinds[kind].isExclusive) return null;
  return steps.at(-1)?.id === step.id ? 'exit' : 'next';
}

interface OneButtonProps {
  editor: Editor;
  step: Step;
  button: StepButton;
  index: number;
}

function OneButton({ editor, step, button, index }: OneButtonProps) {
  const fields = fieldsOf(editor, button.id, button);
  const remove = () => {
    editor.change(removePart(step.id, button.id));
    showToast({ title: texts.buttonDeleted, onUndo: editor.undo });
  };
  const move = (to: number) => editor.change(movePart(step.id, button.id, to));
  const name = texts.button(index + 1);
  return (
    <fieldset className="flex flex-col gap-3 rounded-6 border border-line p-3">
      <legend className="sr-only">{name}</legend>
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <RichField {...fields.text('text')} />
        </div>
        {!editor.isReadOnly && (
          <Menu
            label={texts.buttonActions(index + 1)}
            placement="bottom end"
            trigger={<IconButton icon={Ellipsis} label={texts.buttonActions(index + 1)} size="small" />}
            groups={[
              {
                entries: [
                  {
                    id: 'up',
                    label: texts.moveUp,
                    icon: ArrowUp,
                    isDisabled: index === 0,
                    onAction: () => move(index - 1),
                  },
                  {
                    id: 'down',
                    label: texts.moveDown,
                    icon: ArrowDown,
                    isDisabled: index === step.buttons.length - 1,
                    onAction: () => move(index + 1),
                  },
                ],
              },
              { entries: [{ id: 'delete', label: texts.delete, icon: Trash2, isDanger: true, onAction: remove }] },
            ]}
          />
        )}
      </div>
      <Select
        label={texts.clickDoes}
        options={kinds[editor.document.kind].measures.includes('snoozed') ? tourActions : withoutSnooze}
        {...fields.choice('tour_action')}
        value={button.tour_action ?? (onlyOpensPage(button) ? 'url' : 'none')}
        onChange={(value) => fields.set(chooseAction(button, value))}
      />
      {onlyOpensPage(button) && <PageFields fields={fields} />}
      <Fold title={describeActions(button)} isOpen={false}>
        <ButtonActions editor={editor} step={step} button={button} fields={fields} />
      </Fold>
    </fieldset>
  );
}

const choices = ['next', 'previous', 'exit', 'snooze', 'url', 'none'] as const;
const tourActions = choices.map((value) => ({
  value,
  label: texts.tourActions[value],
}));
const withoutSnooze = tourActions.filter(({ value }) => value !== 'snooze');
