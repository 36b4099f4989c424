import type { Cleanup } from '../kind.ts';
import { isVisible } from './find.ts';
import { addListener } from './isolate.ts';

/** The elements in which the user types or chooses. */
export const fields = 'input,textarea,select';
const focusable = `:is(a[href],button,${fields},summary,iframe,[contenteditable],[tabindex]):not(:disabled,[tabindex^="-"])`;

/** Moves the focus into a box, unless `take` is false. The cleanup moves it back, also if the user has moved it into the box. */
export function focusIn(box: HTMLElement, take: boolean): Cleanup {
  const previous = findActiveElement(document);
  if (take) box.focus({ preventScroll: true });
  return () => {
    // The focus goes back only if it is still in the box: the user may have moved it.
    const { activeElement, body } = document;
    const isInBox = box.matches(':focus-within') || (take && (!activeElement || activeElement === body));
    if (isInBox) (previous as HTMLElement | null)?.focus({ preventScroll: true });
  };
}

/**
 * Lets the arrow keys press the button that leads to the previous or the next step. Where there is a backdrop, Tab stays inside of
 * the box and its target, because the user can see and click nothing else.
 */
export function handleKeys(box: Element, target: Element | null, hasBackdrop: boolean): Cleanup {
  const handle = (event: Event) => {
    const { key, altKey, ctrlKey, metaKey, shiftKey, defaultPrevented } = event as KeyboardEvent;
    const focused = findActiveElement(document);
    let next: HTMLElement | null | undefined;
    if (altKey || ctrlKey || metaKey || defaultPrevented) return;
    if (key === 'Tab' && hasBackdrop) {
      const elements = [box, target]
        .flatMap((part) => (part ? [part, ...listInside(part.shadowRoot), ...listInside(part)] : []))
        .filter((element) => element.matches(focusable) && isVisible(element)) as HTMLElement[];
      if (shiftKey) elements.reverse();
      next = elements[elements.indexOf(focused as HTMLElement) + 1] ?? elements[0];
      next?.focus();
    } else if (!shiftKey && box.contains(focused) && !focused?.matches(fields)) {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[key] ?? 0;
      const isMirrored = getComputedStyle(box).direction === 'rtl';
      next = box.querySelector<HTMLElement>(`[data-by="${isMirrored ? -by : by}"]`);
      next?.click();
    }
    if (next) event.preventDefault();
  };
  return addListener(window, 'keydown', handle);
}

/** Lists all elements, also those in shadow roots. */
function listInside(root: ParentNode | null): Element[] {
  return [...(root?.querySelectorAll('*') ?? [])].flatMap((element) => [element, ...listInside(element.shadowRoot)]);
}

function findActiveElement(root: DocumentOrShadowRoot): Element | null {
  const active = root.activeElement;
  return active?.shadowRoot?.activeElement ? findActiveElement(active.shadowRoot) : active;
}

/** Calls the newest handler on Escape, unless the page has a dialog open above or has handled the key itself. */
export function createEscape(isCovered: () => boolean): (handler: () => void) => Cleanup {
  const handlers = new Set<() => void>();
  addListener(window, 'keydown', (event) => {
    const handler = [...handlers].at(-1);
    const { key, isComposing, defaultPrevented } = event as KeyboardEvent;
    // While the user composes a word, Escape only ends that.
    if (!handler || key !== 'Escape' || isComposing || defaultPrevented || isCovered()) return;
    // The browser would also close a dialog of the page that contains the box.
    event.preventDefault();
    handler();
  });
  return (handler) => {
    handlers.add(handler);
    return () => handlers.delete(handler);
  };
}
