import type { Cleanup } from '../kind.ts';
import { listen } from './navigate.ts';

const focusable =
  'a[href],button:not(:disabled),input:not(:disabled),select:not(:disabled),textarea:not(:disabled),[tabindex="0"]';

/** Moves the focus into a box, and back when that ends; with `trap`, Tab goes round in it. */
export function focusIn(box: HTMLElement, trap = false): Cleanup {
  const before = activeIn(document);
  const root = box.getRootNode() as ShadowRoot;
  box.tabIndex = -1;
  (box.querySelector<HTMLElement>('[autofocus]') ?? box).focus({ preventScroll: true });
  const stop = trap
    ? listen(box, 'keydown', (event) => {
        const { key, shiftKey } = event as KeyboardEvent;
        if (key !== 'Tab') return;
        const inside = [...box.querySelectorAll<HTMLElement>(focusable)].filter(
          (one) => one.checkVisibility?.() ?? true,
        );
        const [edge, other] = shiftKey ? [inside[0], inside.at(-1)] : [inside.at(-1), inside[0]];
        const active = root.activeElement;
        if (active !== edge && !(shiftKey && active === box)) return;
        event.preventDefault();
        other?.focus();
      })
    : () => {};
  return () => {
    stop();
    const active = root.activeElement;
    // Only when it is still here: the user may have gone on.
    const isHere = box.contains(active) || !activeIn(document) || activeIn(document) === document.body;
    if (isHere && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
  };
}

function activeIn(root: DocumentOrShadowRoot): Element | null {
  const active = root.activeElement;
  return active?.shadowRoot?.activeElement ? activeIn(active.shadowRoot) : active;
}

/** The one that came last hears Escape; not while a dialog of the page is open over it, or the page took the key itself. */
export function createEscape(isUnder: () => boolean): (run: () => void) => Cleanup {
  const runs: (() => void)[] = [];
  let stop: Cleanup | undefined;
  return (run) => {
    const entry = () => run();
    runs.push(entry);
    stop ??= listen(window, 'keydown', (event) => {
      if ((event as KeyboardEvent).key === 'Escape' && !event.defaultPrevented && !isUnder()) runs.at(-1)?.();
    });
    return () => {
      const at = runs.indexOf(entry);
      if (at >= 0) runs.splice(at, 1);
      if (runs.length > 0) return;
      stop?.();
      stop = undefined;
    };
  };
}
