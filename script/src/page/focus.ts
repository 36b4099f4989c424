import type { Cleanup } from '../kind.ts';
import { addListener } from './isolate.ts';

const focusable =
  'a[href],button:not(:disabled),input:not(:disabled),select:not(:disabled),textarea:not(:disabled),[tabindex="0"]';

/** Moves the focus into a box; the cleanup moves it back. With `trap`, Tab stays inside of the box. */
export function focusIn(box: HTMLElement, trap = false): Cleanup {
  const previous = findActiveElement(document);
  const root = box.getRootNode() as ShadowRoot;
  box.tabIndex = -1;
  (box.querySelector<HTMLElement>('[autofocus]') ?? box).focus({ preventScroll: true });
  const stopTrap = trap
    ? addListener(box, 'keydown', (event) => {
        const { key, shiftKey } = event as KeyboardEvent;
        if (key !== 'Tab') return;
        const elements = [...box.querySelectorAll<HTMLElement>(focusable)].filter(
          (element) => element.checkVisibility?.() ?? true,
        );
        const [edge, opposite] = shiftKey ? [elements[0], elements.at(-1)] : [elements.at(-1), elements[0]];
        const active = root.activeElement;
        if (active !== edge && !(shiftKey && active === box)) return;
        event.preventDefault();
        opposite?.focus();
      })
    : () => {};
  return () => {
    stopTrap();
    // The focus goes back only if it is still in the box: the user may have moved it.
    const active = findActiveElement(document);
    const isInBox = box.contains(root.activeElement) || !active || active === document.body;
    if (isInBox && previous instanceof HTMLElement && previous.isConnected) previous.focus({ preventScroll: true });
  };
}

function findActiveElement(root: DocumentOrShadowRoot): Element | null {
  const active = root.activeElement;
  return active?.shadowRoot?.activeElement ? findActiveElement(active.shadowRoot) : active;
}

/** Calls the newest handler on Escape, unless the page has a dialog open above or has handled the key itself. */
export function createEscape(isCovered: () => boolean): (handler: () => void) => Cleanup {
  const handlers: (() => void)[] = [];
  addListener(window, 'keydown', (event) => {
    const handler = handlers.at(-1);
    if (!handler || (event as KeyboardEvent).key !== 'Escape' || event.defaultPrevented || isCovered()) return;
    // The browser would also close a dialog of the page that contains the box.
    event.preventDefault();
    handler();
  });
  return (handler) => {
    const entry = () => handler();
    handlers.push(entry);
    return () => {
      const index = handlers.indexOf(entry);
      if (index >= 0) handlers.splice(index, 1);
    };
  };
}
