import { Type } from 'lucide-react';
import { type Ref, useImperativeHandle, useRef, useState } from 'react';
import * as text from '../../../messages/text.ts';
import { preloadTextEditor, TextEditor } from '../../../text-editor/lazy-text-editor.tsx';
import { IconButton } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';

preloadTextEditor();

export interface TranslationInputHandle {
  insertTag(tag: string): void;
}

interface TranslationInputProps {
  handle: Ref<TranslationInputHandle>;
  label: string;
  describedBy: string;
  value: string;
  onChange: (value: string) => void;
  isMarkdown: boolean;
  isInvalid: boolean;
  isReadOnly: boolean;
  placeholder: string;
  /** The class of the border. */
  edge: string;
  /** The attributes by which keys and the preview find the field, and its language. */
  attributes: Readonly<Record<string, string>>;
}

/** The field of a translation. Markdown is edited as formatted text, or as it is stored. */
export function TranslationInput(props: TranslationInputProps) {
  const [isSource, setSource] = useState(false);
  if (props.isMarkdown && !isSource)
    return <TextEditor {...props} isInTable rows={1} onEditMarkdown={() => setSource(true)} />;
  return (
    <div className="flex flex-col items-end gap-1">
      <SourceInput {...props} />
      {props.isMarkdown && (
        <IconButton icon={Type} label={text.content.toolbar.formatted} size="small" onPress={() => setSource(false)} />
      )}
    </div>
  );
}

function SourceInput(props: TranslationInputProps) {
  const { handle, label, describedBy, value, isMarkdown, isInvalid, isReadOnly, placeholder, edge, attributes } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const type = (typed: string) => props.onChange(isMarkdown ? typed : typed.replaceAll(/\s*\n\s*/g, ' '));
  useImperativeHandle(handle, () => ({
    insertTag: (tag) => {
      const at = field.current?.selectionEnd ?? value.length;
      type(value.slice(0, at) + tag + value.slice(at));
      field.current?.focus();
    },
  }));
  return (
    <textarea
      ref={field}
      {...attributes}
      data-lines={isMarkdown || undefined}
      rows={isMarkdown ? 2 : 1}
      aria-label={label}
      aria-describedby={describedBy}
      aria-invalid={isInvalid || undefined}
      value={value}
      readOnly={isReadOnly}
      placeholder={placeholder}
      onChange={(event) => type(event.currentTarget.value)}
      className={cx(
        'field-sizing-content max-h-80 w-full resize-none rounded-6 border bg-surface px-2.5 py-1.5 text-14 text-ink read-only:bg-ground focus:border-accent focus:outline-2 focus:-outline-offset-1 focus:outline-accent',
        edge,
      )}
    />
  );
}
