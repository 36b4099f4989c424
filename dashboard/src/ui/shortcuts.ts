import { type RefObject, useEffect, useRef } from 'react';
import { keyName } from './key-name.ts';

/** Pressing keys one after the other, such as `g h`, must happen within this time. */
const SEQUENCE_MS = 1_200;

export interface Shortcut {
  /** The keys: `mod+k`, `?`, or one key after the other, such as `g h`. */
  keys: string;
  label: string;
  onPress: () => void;
}

/** The shortcuts of everything on the page. The ones that were added last come first. */
const active: RefObject<readonly Shortcut[]>[] = [];
let first: { key: string; at: number } | undefined;

/** Runs the action of the pressed keys. Plain letters do nothing while somebody types, or while a dialog is open. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const current = useRef(shortcuts);
  current.current = shortcuts;
  useEffect(() => {
    if (active.length === 0) {
      addEventListener('keydown', onKey);
      addEventListener('keydown', onEarlyKey, true);
    }
    active.unshift(current);
    return () => {
      active.splice(active.indexOf(current), 1);
      if (active.length > 0) return;
      removeEventListener('keydown', onKey);
      removeEventListener('keydown', onEarlyKey, true);
    };
  }, []);
}

/** All shortcuts that work at the moment. */
export function listShortcuts(): Shortcut[] {
  return active.flatMap(({ current }) => current);
}

/** Handles the key before a focused button does, which would take Enter as a press, also with Ctrl or ⌘. */
function onEarlyKey(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || isOverlayOpen()) return;
  const pressed = keyName(event);
  if (!pressed.startsWith('mod+') || !listShortcuts().some(({ keys }) => keys === pressed)) return;
  onKey(event);
  event.stopPropagation();
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.repeat) return;
  const pressed = keyName(event);
  if (!pressed.startsWith('mod+') && (isTyping(event.target) || isOverlayOpen())) return;
  const sequence = first && event.timeStamp - first.at < SEQUENCE_MS ? `${first.key} ${pressed}` : undefined;
  const all = listShortcuts();
  const found = all.find(({ keys }) => keys === sequence) ?? all.find(({ keys }) => keys === pressed);
  first = found ? undefined : { key: pressed, at: event.timeStamp };
  if (!found) return;
  event.preventDefault();
  found.onPress();
}

export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** Whether a dialog is open. A toast is an `alertdialog` too, but it does not block the page. */
export function isOverlayOpen(): boolean {
  return (
    document.querySelector('[role=dialog], [role=alertdialog]:not([aria-modal=false]), [role=menu], [role=listbox]') !==
    null
  );
}
