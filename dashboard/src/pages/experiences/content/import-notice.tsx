import { acceptImport, discardImport, type ImportDoubt, listImportDoubts, toTarget } from '@usher/domain';
import { useSearchParams } from 'wouter';
import type { Step, Button as StepButton } from '../../../editor/document.ts';
import type { Editor } from '../../../editor/use-editor.ts';
import { fieldMark } from '../../../fields/field-focus.ts';
import { fieldsOf } from '../../../fields/fields-of.ts';
import * as text from '../../../messages/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';

const texts = text.content.imported;

/** What was imported with the step and is not exactly the same here: people accept it, pick again, or remove it. */
export function StepImportNotice({ editor, step }: { editor: Editor; step: Step }) {
  const fields = fieldsOf(editor, step.id, step);
  return (
    <ImportNotice
      editor={editor}
      of={step.id}
      mark={fieldMark(step.id, 'position_element')}
      doubts={listImportDoubts({ ...step, buttons: [] })}
      onAccept={() => fields.set(acceptImport(step))}
      onRemove={() => fields.set(discardImport())}
    />
  );
}

/** The same for the element that a button clicks. */
export function ButtonImportNotice({ editor, step, button }: { editor: Editor; step: Step; button: StepButton }) {
  const fields = fieldsOf(editor, button.id, button);
  const { action_element } = button;
  if (!action_element) return null;
  const all = listImportDoubts({ ...step, buttons: [button] });
  return (
    <ImportNotice
      editor={editor}
      of={button.id}
      doubts={all.filter(({ field }) => field.startsWith('buttons.'))}
      onAccept={() => fields.set({ action_element: toTarget(action_element) })}
      onRemove={() => fields.set({ action_element: null })}
    />
  );
}

interface ImportNoticeProps {
  editor: Editor;
  /** The ID of the step or button. */
  of: string;
  /** Marks the field that a warning leads to. */
  mark?: object;
  doubts: readonly ImportDoubt[];
  onAccept: () => void;
  onRemove: () => void;
}

function ImportNotice({ editor, of, mark, doubts, onAccept, onRemove }: ImportNoticeProps) {
  const [, setParams] = useSearchParams();
  if (doubts.length === 0) return null;
  const pick = () =>
    setParams(
      (params) => {
        params.set('pick', of);
        return params;
      },
      { replace: true },
    );
  return (
    <div {...mark}>
      <Notice kind="warning" title={texts.title}>
        <ul className="flex list-disc flex-col gap-1 ps-4 text-13">
          {doubts.map(({ message }) => (
            <li key={message}>{message}.</li>
          ))}
        </ul>
        {!editor.isReadOnly && (
          <div className="mt-2 flex flex-wrap gap-2">
            <Button size="small" onPress={onAccept}>
              {texts.accept}
            </Button>
            <Button size="small" onPress={pick}>
              {texts.pickAgain}
            </Button>
            <Button size="small" onPress={onRemove}>
              {texts.remove}
            </Button>
          </div>
        )}
      </Notice>
    </div>
  );
}
