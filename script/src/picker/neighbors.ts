import { isOurs, isVisible } from '../page/find.ts';

/* The elements around an element, as the arrow keys reach them. Elements that nobody sees are left out. */

export function parentOf(element: Element): Element | undefined {
  const root = element.getRootNode();
  const parent = element.parentElement ?? (root as Partial<ShadowRoot>).host;
  // The element around a page of a frame is the frame.
  if (element.localName === 'body' || !parent) return frameOf(element);
  return parent;
}

export function childrenOf(element: Element): Element[] {
  const body = documentOf(element)?.body;
  return body
    ? [body]
    : [...(element.shadowRoot?.children ?? []), ...element.querySelectorAll(':scope>*')].filter(isShown);
}

export function siblingOf(element: Element, by: 1 | -1): Element | undefined {
  let sibling: Element | null = element.localName === 'body' ? null : element;
  do sibling = (by > 0 ? sibling?.nextElementSibling : sibling?.previousElementSibling) ?? null;
  while (sibling && !isShown(sibling));
  return sibling ?? undefined;
}

/** Returns the outermost frame that the element is, or is in. */
export function outerFrameOf(element: Element): Element | undefined {
  const frame = frameOf(element);
  return frame ? outerFrameOf(frame) : element.localName === 'iframe' ? element : undefined;
}

function frameOf({ ownerDocument }: Element): Element | undefined {
  return (ownerDocument !== document && ownerDocument.defaultView?.frameElement) || undefined;
}

/** Returns the document inside of a frame, unless it has another origin. */
function documentOf(element: Element): Document | undefined {
  return (element.localName === 'iframe' && (element as HTMLIFrameElement).contentDocument) || undefined;
}

/** Returns whether it is a frame that the page cannot look into: it shows a page of another origin. */
export function isForeignFrame(element: Element): boolean {
  return element.localName === 'iframe' && !documentOf(element);
}

/** Finds what is at a position of the window, also in shadow roots and frames. */
export function elementAt(x: number, y: number, root: DocumentOrShadowRoot = document): Element | undefined {
  const found = root.elementsFromPoint(x, y).find((candidate) => !isOurs(candidate));
  const inner = found && documentOf(found);
  if (inner) {
    const { left, top } = found.getBoundingClientRect();
    return elementAt(x - left - found.clientLeft, y - top - found.clientTop, inner) ?? found;
  }
  const shadow = found?.shadowRoot;
  return shadow && shadow !== root ? (elementAt(x, y, shadow) ?? found) : found;
}

function isShown(element: Element): boolean {
  return !isOurs(element) && isVisible(element);
}
