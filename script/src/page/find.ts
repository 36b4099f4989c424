import type { Reason } from '../kind.ts';
import type { PageElement } from '../wire.ts';

export type FindResult = { element: Element } | { reason: Reason };
/** Called for each document and shadow root that is searched. */
type OnSearch = (root: Node) => void;

/**
 * Finds a visible element, in the page and its frames: the only match of a description if there is one, because the page may have got
 * more elements of the same kind meanwhile. Otherwise the first match. Otherwise returns the reason, for the closest match.
 */
export function find(wanted: readonly PageElement[], onSearch?: OnSearch): FindResult {
  let reason: Reason = 'not_found';
  let first: Element | undefined;
  for (const description of wanted) {
    const { elements, reason: why } = findAll(description, onSearch);
    const element = elements.find(isVisible);
    if (element && elements.reverse().find(isVisible) === element) return { element };
    first ??= element;
    reason = elements.length > 0 ? 'hidden' : why;
  }
  return first ? { element: first } : { reason };
}

/** Between the levels of a `shadow_selector`, for a shadow root inside of another one. */
export const SHADOW_SEPARATOR = ' >>> ';

/** Finds all elements that match. `reason` says why, if there are none. */
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
      // A form with a field of the name `children` has that field as its property.
      const inner = [...element.querySelectorAll(':scope>*')].filter(contains).flatMap(findDeepest);
      return inner.length > 0 ? inner : [element];
    };
    if (selector && elements.length > 0) reason = 'text_differs';
    elements = elements.filter(contains);
    if (!selector) elements = elements.flatMap(findDeepest);
  }
  return { elements, reason };
}

/** Lists the document of the page and those of its frames, except frames of other origins. */
export function listDocuments(root: Document): Document[] {
  const inner = [...root.querySelectorAll('iframe')].flatMap((frame) => frame.contentDocument ?? []);
  return [root, ...inner.flatMap(listDocuments)];
}

export function isVisible(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width + height > 0 && (element.checkVisibility?.({ visibilityProperty: true }) ?? true);
}

/** The text of an element. The value of an input counts only if it is a button: what users type is private. */
function textOf(element: Element): string {
  const { type, value } = element as HTMLInputElement;
  return (/^(submit|button|reset)$/.test(type) && value) || (element.textContent ?? '');
}

function normalize(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** The dialogs of a page. Those that are made with a script keep the focus inside of them, as modal `dialog` elements do. */
export const dialogs = 'dialog[open],[aria-modal=true],[role=dialog]';

/**
 * Finds the modal dialog that is open: the page has nothing else at the center of the window. An element with the role of a dialog
 * may also be a notice at the edge of the page, and one with `aria-modal` a part of the page.
 */
export function findModal(): Element | undefined {
  const cover = coverAt(innerWidth / 2, innerHeight / 2);
  return [...document.querySelectorAll(dialogs)]
    .filter(
      (dialog) => cover && isVisible(dialog) && (dialog.matches(':modal,[aria-modal=true]') || dialog.contains(cover)),
    )
    .at(-1);
}

/** Returns whether a dialog of the page, or an overlay without any role, covers the center of the element. */
export function isCovered(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  const cover = coverAt(left + width / 2, top + height / 2);
  return !!cover && element.ownerDocument === document && !isInside(cover, element) && !isInside(element, cover);
}

/** Returns the dialog, or the overlay without any role, at a position of the window. Our own elements do not count. */
function coverAt(x: number, y: number): Element | undefined {
  let cover = document.elementsFromPoint(x, y).find((candidate) => !isOurs(candidate));
  const isOverlay = (candidate: Element) =>
    candidate.matches(dialogs) || (getComputedStyle(candidate).position === 'fixed' && isCentral(candidate));
  while (cover && !isOverlay(cover)) cover = cover.parentElement ?? undefined;
  return cover;
}

/** Returns whether the element covers the center of the window. A fixed header does not. */
function isCentral(element: Element): boolean {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const [x, y] = [innerWidth / 2, innerHeight / 2];
  return isVisible(element) && left < x && right > x && top < y && bottom > y;
}

/** Looks through shadow roots too. */
function isInside(inner: Node, outer: Element): boolean {
  const root = inner.getRootNode();
  return outer.contains(inner) || ('host' in root && isInside(root.host as Element, outer));
}

/** Returns whether it is an element that the script has added to the page. A form of the page may have a field of this name. */
export function isOurs(node: unknown): boolean {
  return (node as { usher?: unknown } | null)?.usher === true;
}
