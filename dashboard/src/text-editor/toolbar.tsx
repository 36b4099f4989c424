import {
  Bold,
  Braces,
  Code,
  Heading,
  Image,
  Italic,
  Link2,
  List,
  ListOrdered,
  type LucideIcon,
  Minus,
  Quote,
  SquareCode,
} from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import * as text from '../messages/text.ts';
import { IconButton } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { displayKeys } from '../ui/display-keys.ts';

const texts = text.content.toolbar;

export type ToolName =
  | 'bold'
  | 'italic'
  | 'code'
  | 'link'
  | 'heading'
  | 'list'
  | 'numbers'
  | 'quote'
  | 'divider'
  | 'picture'
  | 'mergeTag'
  | 'markdown';

const allButtons: readonly { name: ToolName; icon: LucideIcon; keys?: string }[] = [
  { name: 'bold', icon: Bold, keys: 'mod+b' },
  { name: 'italic', icon: Italic, keys: 'mod+i' },
  { name: 'link', icon: Link2, keys: 'mod+k' },
  { name: 'heading', icon: Heading },
  { name: 'list', icon: List, keys: 'mod+shift+8' },
  { name: 'numbers', icon: ListOrdered, keys: 'mod+shift+7' },
  { name: 'quote', icon: Quote },
  { name: 'code', icon: Code, keys: 'mod+e' },
  { name: 'divider', icon: Minus },
  { name: 'picture', icon: Image },
  { name: 'mergeTag', icon: Braces },
  { name: 'markdown', icon: SquareCode },
];

const shortBar: readonly ToolName[] = ['bold', 'italic', 'link', 'list', 'numbers', 'mergeTag', 'markdown'];

interface ToolbarProps {
  label: string;
  /** Whether only the most common tools show, below the text. */
  isShort?: boolean;
  /** Whether a tool is on. Undefined for tools that insert something. */
  isOn: (name: ToolName) => boolean | undefined;
  onUse: (name: ToolName) => void;
}

/** One stop of the Tab key. The arrow keys move between the tools. */
export function EditorToolbar({ label, isShort = false, isOn, onUse }: ToolbarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const buttons = isShort ? allButtons.filter(({ name }) => shortBar.includes(name)) : allButtons;
  const [current, setCurrent] = useState<ToolName>('bold');
  const onKey = (event: KeyboardEvent) => {
    const at = buttons.findIndex(({ name }) => name === current);
    const isRightToLeft = bar.current?.matches(':dir(rtl)');
    const step = { ArrowRight: isRightToLeft ? -1 : 1, ArrowLeft: isRightToLeft ? 1 : -1 }[event.key];
    const ends: Record<string, number> = { Home: 0, End: buttons.length - 1 };
    const next = step === undefined ? ends[event.key] : (at + step + buttons.length) % buttons.length;
    const name = next === undefined ? undefined : buttons[next]?.name;
    if (name === undefined) return;
    event.preventDefault();
    setCurrent(name);
    bar.current?.querySelector<HTMLElement>(`[data-tool="${name}"]`)?.focus();
  };
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={texts.label(label)}
      onKeyDown={onKey}
      className={cx(
        'flex',
        isShort ? 'absolute inset-x-0 bottom-0 px-1 py-0.5' : 'flex-wrap border-b border-line p-0.5',
      )}
    >
      {buttons.map(({ name, icon, keys }) => {
        const isPressed = isOn(name);
        return (
          <IconButton
            key={name}
            icon={icon}
            label={texts[name]}
            {...(keys !== undefined && { keys, 'aria-keyshortcuts': ariaKeys(keys) })}
            {...(isPressed !== undefined && { 'aria-pressed': isPressed })}
            data-tool={name}
            size="small"
            preventFocusOnPress
            excludeFromTabOrder={name !== current}
            onFocus={() => setCurrent(name)}
            onPress={() => onUse(name)}
            className={cx('max-sm:w-6.5', isPressed && 'bg-accent-tint text-accent', name === 'markdown' && 'ms-auto')}
          />
        );
      })}
    </div>
  );
}

const ariaKeys = (keys: string) => displayKeys(keys, false).join('+').replace('Ctrl', 'Control');
