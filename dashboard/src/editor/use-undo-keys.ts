import { useEffect, useRef } from 'react';
import * as text from '../messages/text.ts';
import { isOverlayOpen, useShortcuts } from '../ui/shortcuts.ts';
import type { Editor } from './use-editor.ts';

export const UNDO_KEYS = 'mod+z';
export const REDO_KEYS = 'mod+shift+z';

/** ⌘Z undoes changes of the document, also in its text fields: the browser's own undo does not know the toolbar. */
export function useUndoKeys({ undo, redo }: Pick<Editor, 'undo' | 'redo'>, isOff = false): void {
  const current = useRef({ undo, redo });
  current.current = { undo, redo };
  useEffect(() => {
    if (isOff) return;
    const onKey = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase();
      if (!(event.ctrlKey || event.metaKey) || event.altKey || (key !== 'z' && key !== 'y')) return;
      const hasOwnUndo = event.target instanceof Element && event.target.closest('[data-own-undo]');
      if (hasOwnUndo || isOverlayOpen()) return;
      event.preventDefault();
      if (key === 'y' || event.shiftKey) current.current.redo();
      else current.current.undo();
    };
    addEventListener('keydown', onKey, true);
    return () => removeEventListener('keydown', onKey, true);
  }, [isOff]);
  // This entry is only for the list of keyboard shortcuts.
  const shortcuts = [
    { keys: UNDO_KEYS, label: text.editor.undo, onPress: undo },
    { keys: REDO_KEYS, label: text.editor.redo, onPress: redo },
  ];
  useShortcuts(isOff ? [] : shortcuts);
}
