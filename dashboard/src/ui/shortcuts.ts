import { useEffect, useRef } from 'react';

/** Pressing keys one after the other, such as `g h`, must happen within this time. */
const SEQUENCE_MS = 1_200;

export interface Shortcut {
  /** `mod+k`, `?`, or one key after the other: `g h`. */
  keys: string;
  label: string;
  onPress: () => void;
}

/** Runs what belongs to the keys. Plain letters do nothing while somebody types, or while a dialog is open. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const current = useRef(shortcuts);
  current.current = shortcuts;
  useEffect(() => {
    let first: { key: string; at: number } | undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.repeat) return;
      const pressed = nameOf(event);
      if (!pressed.startsWith('mod+') && (isTyping(event.target) || isDialogOpen())) return;
      const sequence = first && event.timeStamp - first.at < SEQUENCE_MS ? `${first.key} ${pressed}` : undefined;
      const found =
        current.current.find(({ keys }) => keys === sequence) ?? current.current.find(({ keys }) => keys === pressed);
      first = found ? undefined : { key: pressed, at: event.timeStamp };
      if (!found) return;
      event.preventDefault();
      found.onPress();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

/** Shift is not named with characters such as `?`, since keyboards differ in where those are. */
export function nameOf({
  key,
  ctrlKey,
  metaKey,
  altKey,
}: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>): string {
  const name = key.length === 1 ? key.toLowerCase() : key.toLowerCase().replace('arrow', '');
  return `${ctrlKey || metaKey ? 'mod+' : ''}${altKey ? 'alt+' : ''}${name}`;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

function isDialogOpen(): boolean {
  return document.querySelector('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]') !== null;
}
