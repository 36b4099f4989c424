import type { Reason } from '../kind.ts';
import type { PageElement } from '../wire.ts';

export type FindResult = { element: Element } | { reason: Reason };
/** Is called for each document and shadow root that is searched. */
type OnSearch = (root: Node) => void;

/**
 * Finds a visible element, in the page and its frames. A description with only one match is preferred, because the page
 * may have got more elements of the same kind meanwhile. Otherwise the first match counts. Without a match, it returns
 * the reason for the closest one.
 */
export function find(wanted: readonly PageElement[], onSearch?: OnSearch, isUsable = isVisible): FindResult {
  let reason: Reason = 'not_found';
  let first: Element | undefined;
  for (const description of wanted) {
    const { elements, reason: why } = findAll(description, onSearch);
    const element = elements.find(isUsable);
    if (element && elements.findLast(isUsable) === element) return { element };
    first ??= element;
    reason = elements.length > 0 ? 'hidden' : why;
  }
  return first ? { element: first } : { reason };
}

/** Separates the levels of a `shadow_selector`, for a shadow root inside of another one. */
export const SHADOW_SEPARATOR = ' >>> ';

/** Finds all elements that match. If there are none, `reason` says why. */
export function findAll(
  { selector, text, shadow_selector }: PageElement,
  onSearch: OnSearch = () => {},
): { elements: Element[]; reason: Reason } {
  let reason: Reason = 'not_found';
  let elements: Element[] = [];
  try {
    const search = (root: ParentNode & Node, query: string) => {
      onSearch(root);
      return [...root.querySelectorAll(query)];
    };
    elements = listDocuments(document).flatMap((root) => search(root, selector ?? 'body,input'));
    for (const level of shadow_selector?.split(SHADOW_SEPARATOR) ?? []) {
      if (elements.length > 0 && !elements.some(({ shadowRoot }) => shadowRoot)) reason = 'no_shadow_root';
      elements = elements.flatMap(({ shadowRoot }) => (shadowRoot ? search(shadowRoot, level) : []));
    }
  } catch {
    reason = 'bad_selector';
  }
  if (text) {
    const contains = (element: Element) =>
      !/^(SCRIPT|STYLE)$/.test(element.tagName) && normalize(textOf(element)).includes(normalize(text));
    const findDeepest = (element: Element): Element[] => {
      // `element.children` cannot be used: in a form with a field of the name `children`, it is that field.
      const inner = [...element.querySelectorAll(':scope>*')].filter(contains).flatMap(findDeepest);
      return inner.length > 0 ? inner : [element];
    };
    if (selector && elements.length > 0) reason = 'text_differs';
    elements = elements.filter(contains);
    if (!selector) elements = elements.flatMap(findDeepest);
  }
  return { elements, reason };
}

/** Lists the document of the page and the documents of its frames, except frames of other origins. */
export function listDocuments(root: Document): Document[] {
  const inner = [...root.querySelectorAll('iframe')].flatMap((frame) => frame.contentDocument ?? []);
  return [root, ...inner.flatMap(listDocuments)];
}

export function isVisible(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width + height > 0 && isRendered(element);
}

/** Returns whether an element would be visible if it had a size. A placeholder has no size until something is in it. */
export function isRendered(element: Element): boolean {
  return element.checkVisibility?.({ visibilityProperty: true }) ?? true;
}

/** The text of an element. The value of an input counts only if it is a button: what users type is private. */
export function textOf(element: Element): string {
  const { type, value } = element as HTMLInputElement;
  return (/^(submit|button|reset)$/.test(type) && value) || (element.textContent ?? '');
}

export function normalize(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** The dialogs of a page. Dialogs that are made with a script keep the focus inside of them, as modal `dialog` elements do. */
export const dialogs = 'dialog[open],[aria-modal=true],[role=dialog]';

/** A browser that does not know popovers would throw an error without `:is`. */
const openPopover = ':is(:popover-open)';

/**
 * Finds the modal dialog that is open: the page has nothing else at the center of the window. An element with the role of a dialog
 * may also be a notice at the edge of the page, and one with `aria-modal` a part of the page, or a drawer outside of the window.
 */
export function findModal(onSearch?: OnSearch): Element | undefined {
  const cover = coverAt(innerWidth / 2, innerHeight / 2);
  const roots = new Set<Node>();
  // Searching the whole page for shadow roots would take long. A modal dialog covers the center, at least with its
  // backdrop.
  closest(cover, (element) => !roots.add(element.getRootNode()));
  return [...roots]
    .reverse()
    .flatMap((root) => {
      onSearch?.(root);
      return [...(root as ShadowRoot).querySelectorAll(dialogs)];
    })
    .findLast(
      (dialog) =>
        isVisible(dialog) &&
        (isInside(cover, dialog) || (dialog.matches(':modal,[aria-modal=true]') && isOnScreen(dialog))),
    );
}

/** Returns whether a dialog of the page, or an overlay without any role, covers the center of the element. */
export function isCovered(element: Element, onSearch?: OnSearch): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  const cover = coverAt(left + width / 2, top + height / 2);
  if (!cover || element.ownerDocument !== document || isInside(cover, element) || isInside(element, cover))
    return false;
  onSearch?.(cover.getRootNode());
  return true;
}

/** Returns the dialog, or the overlay without any role, at a position of the window. Our own elements do not count. */
function coverAt(x: number, y: number): Element | undefined {
  return closest(hitAt(x, y), isOverlay);
}

/** Returns whether an element is a dialog, or covers the center of the window without having any role. */
function isOverlay(element: Element): boolean {
  return element.matches(dialogs) || (getComputedStyle(element).position === 'fixed' && isCentral(element));
}

/** Returns the element at a position of the window, also inside of shadow roots. */
function hitAt(x: number, y: number, root: Document | ShadowRoot = document): Element | undefined {
  const hit = root.elementsFromPoint(x, y).find((element) => !isOurs(element) && element.getRootNode() === root);
  return (hit?.shadowRoot && hitAt(x, y, hit.shadowRoot)) || hit;
}

/** Returns whether the element covers the center of the window. A fixed header does not. */
function isCentral(element: Element): boolean {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const [x, y] = [innerWidth / 2, innerHeight / 2];
  return isVisible(element) && left < x && right > x && top < y && bottom > y;
}

function isOnScreen(element: Element): boolean {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  return left < innerWidth && top < innerHeight && right > 0 && bottom > 0;
}

/** Returns the element around another one: the slot that it is in, its parent, or the host of its shadow root. */
export function parentOf(element: Element): Element | undefined {
  return element.assignedSlot ?? element.parentElement ?? (element.getRootNode() as Partial<ShadowRoot>).host;
}

/** Finds the first match among an element and its ancestors, also outside of its shadow root. */
export function closest(
  element: Element | null | undefined,
  matches: (candidate: Element) => boolean,
): Element | undefined {
  let candidate = element ?? undefined;
  while (candidate && !matches(candidate)) candidate = parentOf(candidate);
  return candidate;
}

/** Returns whether an element is inside of another one, also across shadow roots. */
export function isInside(inner: Element | undefined, outer: Element): boolean {
  return !!closest(inner, (element) => element === outer);
}

/** Lists the popovers that are open, except popovers that only the page closes. */
export function listPopovers(root: ParentNode): Element[] {
  return [...root.querySelectorAll(`${openPopover}:not([popover=manual i])`)];
}

/** Returns whether an element is an open dialog or popover of the page. The style of a page may also show a closed one. */
export function isOpenDialog(element: Element): boolean {
  return element.matches(`:is(${dialogs}):not([popover]),${openPopover}`) && isVisible(element) && !isOurs(element);
}

/**
 * Returns whether the script has added this element to the page. A form of the page may have a field with the name of the
 * property.
 */
export function isOurs(node: unknown): boolean {
  return (node as { usher?: unknown } | null)?.usher === true;
}
