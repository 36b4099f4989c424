import { useState } from 'react';
import { describePlace } from '../../editor/describe-place.ts';
import type { Clash } from '../../editor/merge.ts';
import type { Editor } from '../../editor/use-editor.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea } from '../../ui/text-field.tsx';

const texts = text.editor.clash;

/** Two people have changed the same text: shows both, one clash after the other. Until then the server keeps the other text. */
export function ClashDialog({ editor, isOpen, onClose }: { editor: Editor; isOpen: boolean; onClose: () => void }) {
  const [clash] = editor.clashes;
  if (!clash) return null;
  const key = `${clash.of} ${clash.field} ${clash.theirs}`;
  return <OneClash key={key} clash={clash} editor={editor} isOpen={isOpen} onClose={onClose} />;
}

const multiline = new Set(['body', 'description', 'empty_state_content', 'action_script', 'custom_trigger']);

interface OneClashProps {
  clash: Clash;
  editor: Editor;
  isOpen: boolean;
  onClose: () => void;
}

function OneClash({ clash, editor, isOpen, onClose }: OneClashProps) {
  const { mine, theirs } = clash;
  const [result, setResult] = useState(mine);
  const both = [theirs, mine].join(multiline.has(clash.field) ? '\n' : ' ');
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      keepsOpen
      size="medium"
      title={texts.title}
      description={
        <>
          <strong className="font-medium text-ink">{describePlace(editor.document, clash)}</strong>{' '}
          {texts.description(editor.clashes.length)}
        </>
      }
      onSubmit={() => editor.resolve(clash, result)}
      buttons={
        <>
          <Button onPress={onClose}>{texts.later}</Button>
          <Button look="primary" type="submit">
            {texts.save}
          </Button>
        </>
      }
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <Version title={texts.mine} value={mine} action={texts.useMine} onUse={() => setResult(mine)} />
        <Version title={texts.theirs} value={theirs} action={texts.useTheirs} onUse={() => setResult(theirs)} />
      </div>
      <TextArea label={texts.result} value={result} onChange={setResult} rows={4} data-own-undo />
      <div>
        <Button size="small" onPress={() => setResult(both)}>
          {texts.useBoth}
        </Button>
      </div>
    </Dialog>
  );
}

function Version({ title, value, action, onUse }: { title: string; value: string; action: string; onUse: () => void }) {
  return (
    <section aria-label={title} className="flex flex-col gap-2 rounded-6 border border-line p-3">
      <h3 className="text-13 font-medium text-soft">{title}</h3>
      <p className="max-h-40 flex-1 overflow-auto text-14 wrap-anywhere whitespace-pre-wrap">{value}</p>
      <div>
        <Button size="small" onPress={onUse}>
          {action}
        </Button>
      </div>
    </section>
  );
}
