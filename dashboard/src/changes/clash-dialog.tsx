import { useMemo, useState } from 'react';
import { describePlace } from '../editor/describe-place.ts';
import type { OpenClash } from '../editor/editor-store.ts';
import { isTextClash } from '../editor/merge.ts';
import type { Editor } from '../editor/use-editor.ts';
import * as text from '../messages/text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea } from '../ui/text-field.tsx';
import { nameOfAuthor } from './name-of-author.ts';
import { formatValue } from './sentences.ts';
import { useNames } from './use-names.ts';

const texts = text.editor.clash;

/**
 * Shows fields that two people have changed, with both values, one clash after the other. Until the person has chosen,
 * the server keeps the other value.
 */
export function ClashDialog({ editor, isOpen, onClose }: Omit<OneClashProps, 'clash'>) {
  const [clash] = editor.clashes;
  if (!clash) return null;
  const key = `${clash.of} ${clash.field} ${JSON.stringify(clash.theirs)}`;
  const One = isTextClash(clash) ? TextClash : ChoiceClash;
  return <One key={key} clash={clash} editor={editor} isOpen={isOpen} onClose={onClose} />;
}

const multiline = new Set(['body', 'description', 'empty_state_content', 'action_script', 'custom_trigger', 'css']);

/** The part of an editor that knows the clashes. */
type ClashingEditor = Pick<Editor, 'document' | 'clashes' | 'resolve'>;

interface OneClashProps {
  clash: OpenClash;
  editor: ClashingEditor;
  isOpen: boolean;
  onClose: () => void;
}

/** A clash of two texts, which can be joined. */
function TextClash({ clash, editor, isOpen, onClose }: OneClashProps) {
  const [mine, theirs] = [String(clash.mine), String(clash.theirs)];
  const [result, setResult] = useState(mine);
  const both = [theirs, mine].join(multiline.has(clash.field) ? '\n' : ' ');
  return (
    <Dialog
      {...frameOf({ clash, editor, isOpen, onClose })}
      title={texts.textTitle(nameOfAuthor(clash.by))}
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
        <Version title={nameTheirs(clash)} value={theirs} action={texts.useTheirs} onUse={() => setResult(theirs)} />
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

/** A clash of two other values. The person chooses one of them. */
function ChoiceClash({ clash, editor, isOpen, onClose }: OneClashProps) {
  const { field, mine, theirs } = clash;
  const named = useMemo(() => [{ path: '', object: { [field]: [mine, theirs] } }], [field, mine, theirs]);
  const nameOf = useNames(named);
  const say = (value: unknown) => {
    const said = formatValue(field, value, nameOf);
    if (said === undefined) return texts.empty;
    return field === 'position' ? texts.place(said) : said.charAt(0).toUpperCase() + said.slice(1);
  };
  const use = (value: unknown) => editor.resolve(clash, value);
  return (
    <Dialog
      {...frameOf({ clash, editor, isOpen, onClose })}
      title={texts.title(nameOfAuthor(clash.by))}
      buttons={<Button onPress={onClose}>{texts.later}</Button>}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <Version title={texts.mine} value={say(mine)} action={texts.useMine} onUse={() => use(mine)} />
        <Version title={nameTheirs(clash)} value={say(theirs)} action={texts.useTheirs} onUse={() => use(theirs)} />
      </div>
    </Dialog>
  );
}

function frameOf({ clash, editor, isOpen, onClose }: OneClashProps) {
  const description = <Description editor={editor} clash={clash} />;
  return { isOpen, onClose, keepsOpen: true, size: 'medium', description } as const;
}

function nameTheirs({ by }: OpenClash): string {
  if (!by) return texts.theirsUnknown;
  return by.isMe ? texts.myOwn : texts.theirs(by.name);
}

function Description({ editor, clash }: Pick<OneClashProps, 'editor' | 'clash'>) {
  return (
    <>
      <strong className="font-medium text-ink">{describePlace(editor.document, clash)}</strong>{' '}
      {texts.description(editor.clashes.length)}
    </>
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
