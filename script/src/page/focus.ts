import type { Cleanup } from '../kind.ts';
import { findModal, isInside, isVisible, listPopovers } from './find.ts';
import { addListener } from './isolate.ts';

/** The elements in which the user types or chooses. */
const fields = 'input,textarea,select';
/** Editors draw their own fields, which have one of these roles. */
const typed = `${fields},[role=textbox],[role=searchbox],[role=combobox]`;
const focusable = `:is(a[href],button,video,${fields},summary,iframe,[contenteditable],[tabindex]):not(:disabled,[tabindex^="-"])`;

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
    // A video has keys, and buttons, of its own.
    if (altKey || ctrlKey || metaKey || defaultPrevented || focused?.matches('video')) return;
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

/** Lists all elements, also elements in shadow roots. */
function listInside(root: ParentNode | null): Element[] {
  return [...(root?.querySelectorAll('*') ?? [])].flatMap((element) => [element, ...listInside(element.shadowRoot)]);
}

type Active = HTMLElement & { editContext?: unknown; contentDocument?: Document | null };

/** Returns the element that has the focus, also inside of shadow roots and frames. */
function findActiveElement(root: DocumentOrShadowRoot): Active | null {
  const active = root.activeElement as Active | null;
  const inside = active?.shadowRoot ?? active?.contentDocument;
  const inner = inside && findActiveElement(inside);
  // The body of a frame cannot get the focus back. The frame itself can.
  return inner && (inner.isContentEditable || inner.localName !== 'body') ? inner : active;
}

/** Returns whether the user may be typing. What happens in a frame of another origin is not known. */
export function isTyping(): boolean {
  const active = findActiveElement(document);
  if (!active) return false;
  const isForeign = active.localName === 'iframe' && !active.contentDocument;
  return active.isContentEditable || !!active.editContext || isForeign || active.matches(typed);
}

/**
 * Calls the newest handler on Escape, unless the page has handled the key itself, or has a dialog or a popover open above: the browser
 * closes a popover that was opened later.
 */
export function createEscape(getHost: () => Element): (handler: () => void) => Cleanup {
  /** The handlers, each with the popovers that were open before it was added. */
  const handlers = new Map<() => void, Set<unknown>>();
  const onKey = (event: Event) => {
    const [handler, below] = [...handlers].at(-1) ?? [];
    const { key, isComposing, defaultPrevented } = event as KeyboardEvent;
    // While the user composes a word, Escape only ends the composition.
    if (!handler || key !== 'Escape' || isComposing || defaultPrevented) return;
    // A dialog in a shadow root counts only if the focus is in it, because searching all shadow roots would take long.
    const roots = event.composedPath().filter((node) => (node as Node).nodeType > 8) as ShadowRoot[];
    const above = [findModal(), ...roots.flatMap(listPopovers).filter((popover) => !below?.has(popover))];
    if (above.some((element) => element && !isInside(getHost(), element))) return;
    // The browser would also close a dialog of the page that contains the box.
    event.preventDefault();
    handler();
  };
  const onToggle = ({ target, newState }: ToggleEvent) => {
    if (newState === 'closed') for (const below of handlers.values()) below.delete(target);
  };
  addListener(window, 'keydown', onKey);
  addListener(document, 'toggle', onToggle as (event: Event) => void, true);
  return (handler) => {
    handlers.set(handler, new Set(listPopovers(document)));
    return () => handlers.delete(handler);
  };
}
