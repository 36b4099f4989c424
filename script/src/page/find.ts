import type { PageElement, Why } from '../kind.ts';

export type Found = { element: Element } | { why: Why };
type Look = (root: Node) => void;

/** The first visible element that fits one of those wanted, in the page and its frames; else what came closest to one. */
export function find(wanted: readonly PageElement[], look?: Look): Found {
  let why: Why = 'not_found';
  for (const one of wanted) {
    const [elements, reason] = allOf(one, look);
    const element = elements.find(isVisible);
    if (element) return { element };
    why = elements.length > 0 ? 'hidden' : reason;
  }
  return { why };
}

/** All elements that fit; why not, if there are none. */
export function allOf({ selector, text, shadow_selector }: PageElement, look: Look = () => {}): [Element[], Why] {
  let why: Why = 'not_found';
  let elements: Element[] = [];
  try {
    const within = (root: ParentNode & Node, what: string) => {
      look(root);
      return [...root.querySelectorAll(what)];
    };
    elements = documents(document).flatMap((root) => within(root, selector ?? 'body,input'));
    if (shadow_selector) {
      if (elements.length > 0 && !elements.some((one) => one.shadowRoot)) why = 'no_shadow_root';
      elements = elements.flatMap(({ shadowRoot }) => (shadowRoot ? within(shadowRoot, shadow_selector) : []));
    }
  } catch {
    why = 'bad_selector';
  }
  if (text) {
    const holds = (one: Element) =>
      !/^(SCRIPT|STYLE)$/.test(one.tagName) && squeeze(textOf(one)).includes(squeeze(text));
    const deepest = (one: Element): Element[] => {
      const inner = [...one.children].filter(holds).flatMap(deepest);
      return inner.length > 0 ? inner : [one];
    };
    if (selector && elements.length > 0) why = 'text_differs';
    elements = elements.filter(holds);
    if (!selector) elements = elements.flatMap(deepest);
  }
  return [elements, why];
}

/** The page, and what is framed in it as far as it may be looked into. */
export function documents(root: Document): Document[] {
  const inner = [...root.querySelectorAll('iframe')].flatMap((frame) => frame.contentDocument ?? []);
  return [root, ...inner.flatMap(documents)];
}

export function isVisible(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width + height > 0 && (element.checkVisibility?.({ visibilityProperty: true }) ?? true);
}

/** A button may be an input; what users write into fields is nobody's business. */
function textOf(element: Element): string {
  const { type, value } = element as HTMLInputElement;
  return (/^(submit|button|reset)$/.test(type) && value) || (element.textContent ?? '');
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Whether a dialog of the page stands over the element: one that the element is not in. */
export function isCovered(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  const stack = document.elementsFromPoint(left + width / 2, top + height / 2);
  const dialog = stack.find((one) => !('usher' in one))?.closest('dialog[open], [aria-modal=true]');
  return !!dialog && element.ownerDocument === document && !isWithin(element, dialog);
}

/** Through shadow roots too. */
function isWithin(inner: Node, outer: Element): boolean {
  const root = inner.getRootNode();
  return outer.contains(inner) || ('host' in root && isWithin(root.host as Element, outer));
}
