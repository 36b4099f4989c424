import type { Ui } from '../kind.ts';

/** Lets the keys 1 to 9, and 0 for the tenth, choose answers while the focus is in the box, but not while the user writes. */
export function listenToKeys(ui: Ui, box: HTMLElement): void {
  ui.on(box, 'keydown', (event) => {
    const { key, altKey, ctrlKey, metaKey, isComposing } = event as KeyboardEvent;
    const isWriting = (event.composedPath()[0] as Element).matches('input,textarea');
    if (!/^\d$/.test(key) || altKey || ctrlKey || metaKey || isComposing || isWriting) return;
    const button = box.querySelector<HTMLElement>(`[aria-keyshortcuts="${key}"]`);
    if (!button) return;
    event.preventDefault();
    button.focus();
    button.click();
  });
}

/** Names the keys of answers: their place, or their number if they are numbers. */
export function nameKeys(buttons: readonly HTMLElement[], first = 1): void {
  for (const [at, button] of buttons.entries()) {
    const key = (at + first) % 10;
    // Of 0 and 10, the first one has the key.
    if (at < 10) button.setAttribute('aria-keyshortcuts', `${key}`);
  }
}
