import { useEffect } from 'react';

const MAX_PLACES = 8;
/** The elements that had the focus last, the newest first. */
let places: readonly HTMLElement[] = [];

document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLElement) places = [target, ...places.filter((one) => one !== target)].slice(0, MAX_PLACES);
});

/**
 * Returns the focus to the element that had it before a dialog opened, if the focus is lost when the dialog closes.
 * React Aria does that too, except if the dialog opens at the moment when a menu closes: then it returns the focus to
 * the page.
 */
export function useKeptPlace(): void {
  useEffect(() => {
    const before = places;
    return () => afterFrames(2, () => hasLostFocus() && before.find(isThere)?.focus());
  }, []);
}

/** A toast gets the focus only if nothing else has it. */
function hasLostFocus(): boolean {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body || isInToasts(activeElement);
}

function isThere(element: HTMLElement): boolean {
  return element.isConnected && element.checkVisibility() && !isInToasts(element);
}

function isInToasts(element: Element): boolean {
  return element.closest('[data-react-aria-top-layer]') !== null;
}

function afterFrames(count: number, run: () => void): void {
  if (count === 0) run();
  else requestAnimationFrame(() => afterFrames(count - 1, run));
}
