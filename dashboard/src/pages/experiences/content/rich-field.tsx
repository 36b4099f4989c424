import { Bold, Braces, Italic, Link2, List, Type } from 'lucide-react';
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { useSession } from '../../../api/session.ts';
import { usePreviewChoices } from '../../../editor/preview/preview-choices.ts';
import { usePreviewPeople } from '../../../editor/preview/use-preview-people.ts';
import * as text from '../../../messages/text.ts';
import { preloadTextEditor, TextEditor } from '../../../text-editor/lazy-text-editor.tsx';
import { MergeTagMenu } from '../../../text-editor/merge-tag-menu.tsx';
import { IconButton } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { endOfChange, insertMarkdown, insertText, type Markdown, type Selected } from './insert-markdown.ts';

const texts = text.content.toolbar;
preloadTextEditor();

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
  /** Whether the text gets the focus as soon as it is there. */
  hasFocusFirst?: boolean;
  'data-field'?: string;
}

/** A text with merge tags. Body texts are edited as formatted text, or as the Markdown that is stored. */
export function RichField(props: RichFieldProps) {
  const [isSource, setSource] = useState(false);
  if (!props.isMarkdown || isSource) return <SourceField {...props} onFormatted={() => setSource(false)} />;
  return <FormattedField {...props} onSource={() => setSource(true)} />;
}

function FormattedField({ onSource, ...props }: RichFieldProps & { onSource: () => void }) {
  const { label, value, error, rows = 1 } = props;
  const id = useId();
  const { account } = useSession();
  const [{ profileId }] = usePreviewChoices(account.id);
  const { profile } = usePreviewPeople(profileId);
  return (
    <div className="flex flex-col gap-1" data-field={props['data-field']}>
      <span id={id} className="text-13 font-medium text-ink">
        {label}
      </span>
      <TextEditor
        {...props}
        labelId={id}
        describedBy={error === undefined ? undefined : `${id}-error`}
        isInvalid={error !== undefined}
        onEditMarkdown={onSource}
        person={profile}
        rows={rows}
      />
      {/* Forms of other programs, and tests, read the Markdown here. */}
      <input type="hidden" value={value} />
      {error !== undefined && <FieldError id={id}>{error}</FieldError>}
    </div>
  );
}

function FieldError({ id, children }: { id: string; children: string }) {
  return (
    <p id={`${id}-error`} className="text-13 text-bad">
      {children}
    </p>
  );
}

/** A text as it is stored. Changes by the toolbar are undone like typed changes. */
function SourceField(props: RichFieldProps & { onFormatted: () => void }) {
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
          <Toolbar
            label={label}
            onFormat={isMarkdown ? format : undefined}
            onMergeTag={() => setMenuOpen(true)}
            onFormatted={props.onFormatted}
          />
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
      {error !== undefined && <FieldError id={id}>{error}</FieldError>}
      {isMenuOpen && (
        <MergeTagMenu
          onClose={() => {
            setMenuOpen(false);
            requestAnimationFrame(() => field.current?.focus());
          }}
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
  onFormatted: () => void;
}

function Toolbar({ label, onFormat, onMergeTag, onFormatted }: ToolbarProps) {
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
      {onFormat && <IconButton icon={Type} label={texts.formatted} size="small" onPress={onFormatted} />}
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
