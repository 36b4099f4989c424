import { useEffect } from 'react';
import { isOverlayOpen, isTyping } from './shortcuts.ts';

const arrows: Record<string, string> = { j: 'ArrowDown', k: 'ArrowUp' };

/** `j` and `k` move between the rows of the first table of a page, also if nothing has the focus yet. */
export function useRowKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const key = arrows[event.key];
      if (!key || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isOverlayOpen()) return;
      const grid = document.querySelector<HTMLElement>('[role=grid]');
      if (!grid) return;
      event.preventDefault();
      // Without this, the table would look for a row whose name begins with the letter.
      event.stopImmediatePropagation();
      const { activeElement } = document;
      if (grid.contains(activeElement))
        activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      else grid.focus();
    };
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  }, []);
}
