import { useEffect, useRef } from 'react';
import type { Editor } from '../../editor/use-editor.ts';
import * as text from '../../messages/text.ts';
import { useShortcuts } from '../../ui/shortcuts.ts';

/** ⌘S saves immediately, and so does going to another tab, because that tab shows data from the server. */
export function useSaving({ save, isReadOnly }: Editor, tab: string): void {
  const saveNow = useRef(() => {});
  saveNow.current = () => void (!isReadOnly && save());
  useShortcuts(isReadOnly ? [] : [{ keys: 'mod+s', label: text.editor.saveNow, onPress: () => saveNow.current() }]);
  const shown = useRef(tab);
  useEffect(() => {
    if (shown.current !== tab) saveNow.current();
    shown.current = tab;
  }, [tab]);
}
