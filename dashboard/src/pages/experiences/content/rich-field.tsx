import { Bold, Braces, Italic, Link2, List } from 'lucide-react';
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import * as text from '../../../messages/text.ts';
import { IconButton } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { endOfChange, insertMarkdown, insertText, type Markdown, type Selected } from './insert-markdown.ts';
import { MergeTagMenu } from './merge-tag-menu.tsx';

const texts = text.content.toolbar;

const tools: readonly { kind: Markdown; icon: typeof Bold; keys?: string }[] = [
  { kind: 'bold', icon: Bold, keys: 'mod+b' },
  { kind: 'italic', icon: Italic, keys: 'mod+i' },
  { kind: 'list', icon: List },
  { kind: 'link', icon: Link2 },
];

interface RichFieldProps {
  label: string;
  value: string;
  /** Is called with the new text. `isOwnStep`: the change was not typed, so it is undone separately. */
  onChange: (value: string, isOwnStep?: boolean) => void;
  error?: string | undefined;
  isReadOnly: boolean;
  /** Body texts are Markdown. All texts can have merge tags. */
  isMarkdown?: boolean;
  rows?: number;
  placeholder?: string;
  /** Is called when the menu of merge tags opens or closes. The menu is a dialog outside of the field. */
  onMenu?: (isOpen: boolean) => void;
  'data-field'?: string;
}

/** A text with merge tags, and with Markdown if it is a body. Changes by the toolbar are undone like typed changes. */
export function RichField(props: RichFieldProps) {
  const { label, value, onChange, error, isReadOnly, isMarkdown = false, rows = 1, placeholder } = props;
  const id = useId();
  const { field, selection, apply, setKnown } = useCaret(value, onChange);
  const [isMenuOpen, showMenu] = useState(false);
  const setMenuOpen = (isOpen: boolean) => {
    showMenu(isOpen);
    props.onMenu?.(isOpen);
  };
  const format = (kind: Markdown) => apply(insertMarkdown(kind, selection(), texts.placeholder));
  const type = (typed: string, caret: number) => {
    setKnown(typed);
    onChange(rows === 1 ? typed.replaceAll(/\s*\n\s*/g, ' ') : typed);
    if (typed.length > value.length && typed.slice(0, caret).endsWith('{{')) setMenuOpen(true);
  };
  const onKey = (event: KeyboardEvent) => {
    const isMod = event.ctrlKey || event.metaKey;
    const tool = isMod && isMarkdown && tools.find(({ keys }) => keys === `mod+${event.key.toLowerCase()}`);
    if (tool) {
      event.preventDefault();
      format(tool.kind);
      // Enter together with Ctrl or ⌘ publishes, so it is not handled here.
    } else if (event.key === 'Enter' && rows === 1 && !isMod) event.preventDefault();
  };
  return (
    <div className="flex flex-col gap-1" data-field={props['data-field']}>
      <div className="flex items-end justify-between">
        <label htmlFor={id} className="text-13 font-medium text-ink">
          {label}
        </label>
        {!isReadOnly && (
          <Toolbar label={label} onFormat={isMarkdown ? format : undefined} onMergeTag={() => setMenuOpen(true)} />
        )}
      </div>
      <textarea
        ref={field}
        id={id}
        rows={rows}
        value={value}
        readOnly={isReadOnly}
        placeholder={placeholder}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        onChange={(event) => type(event.currentTarget.value, event.currentTarget.selectionStart)}
        onKeyDown={onKey}
        className={cx(
          'field-sizing-content w-full rounded-6 border bg-surface px-2.5 py-1.5 text-14 text-ink read-only:bg-ground focus:border-accent focus:outline-2 focus:-outline-offset-1 focus:outline-accent',
          error === undefined ? 'border-edge' : 'border-bad',
          rows === 1 ? 'resize-none' : 'max-h-96 min-h-24 resize-y',
        )}
      />
      {error !== undefined && (
        <p id={`${id}-error`} className="text-13 text-bad">
          {error}
        </p>
      )}
      {isMenuOpen && (
        <MergeTagMenu
          field={field}
          onClose={() => setMenuOpen(false)}
          onInsert={(tag) => {
            setMenuOpen(false);
            apply(insertText(tag, selection()));
          }}
        />
      )}
    </div>
  );
}

interface ToolbarProps {
  label: string;
  /** Formats the selected text. Undefined if the text is not Markdown. */
  onFormat: ((kind: Markdown) => void) | undefined;
  onMergeTag: () => void;
}

function Toolbar({ label, onFormat, onMergeTag }: ToolbarProps) {
  return (
    <div role="toolbar" aria-label={texts.label(label)} className="flex">
      {onFormat &&
        tools.map(({ kind, icon, keys }) => (
          <IconButton
            key={kind}
            icon={icon}
            label={texts[kind]}
            {...(keys !== undefined && { keys })}
            size="small"
            preventFocusOnPress
            onPress={() => onFormat(kind)}
          />
        ))}
      <IconButton icon={Braces} label={texts.mergeTag} size="small" onPress={onMergeTag} />
    </div>
  );
}

/** Where the caret is, and where it goes when something other than typing changes the text. */
function useCaret(value: string, onChange: RichFieldProps['onChange']) {
  const field = useRef<HTMLTextAreaElement>(null);
  const known = useRef(value);
  const next = useRef<Selected>(undefined);
  // If undo or another person has changed the text, the caret goes to the change instead of to the end.
  useLayoutEffect(() => {
    const input = field.current;
    const selected = next.current;
    next.current = undefined;
    if (input && selected?.value === value) {
      input.focus();
      input.setSelectionRange(selected.start, selected.end);
    } else if (input && known.current !== value && globalThis.document.activeElement === input) {
      const end = endOfChange(known.current, value);
      input.setSelectionRange(end, end);
    }
    known.current = value;
  }, [value]);
  const selection = (): Selected => ({
    value,
    start: field.current?.selectionStart ?? value.length,
    end: field.current?.selectionEnd ?? value.length,
  });
  const apply = (selected: Selected) => {
    next.current = selected;
    onChange(selected.value, true);
  };
  /** The person has typed this text, so the caret is at the right place already. */
  const setKnown = (typed: string) => {
    known.current = typed;
  };
  return { field, selection, apply, setKnown };
}
