import { type RefObject, useEffect } from 'react';
import * as text from '../../../messages/text.ts';
import { useShortcuts } from '../../../ui/shortcuts.ts';

const { keys: labels } = text.person.timeline;

/** Moves the focus between the entries of a feed. From outside of the feed, the first visible entry gets the focus. */
export function useEntryKeys(feed: RefObject<HTMLElement | null>): void {
  useShortcuts([
    { keys: 'j', label: labels.next, onPress: () => feed.current && move(feed.current, 1) },
    { keys: 'k', label: labels.previous, onPress: () => feed.current && move(feed.current, -1) },
  ]);
  useEffect(() => {
    const element = feed.current;
    const onKey = (event: KeyboardEvent) => {
      const step = { PageDown: 1, PageUp: -1 }[event.key];
      if (step === undefined || !element) return;
      event.preventDefault();
      move(element, step);
    };
    element?.addEventListener('keydown', onKey);
    return () => element?.removeEventListener('keydown', onKey);
  }, [feed]);
}

function move(feed: HTMLElement, step: number): void {
  const entries = [...feed.querySelectorAll<HTMLElement>('article')];
  const current = entries.findIndex((entry) => entry.contains(document.activeElement));
  const visible = entries.findIndex((entry) => entry.getBoundingClientRect().bottom > 0);
  entries[current === -1 ? visible : Math.min(Math.max(current + step, 0), entries.length - 1)]?.focus();
}
