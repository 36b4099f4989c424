import { normalize, SHADOW_SEPARATOR, textOf } from '../page/find.ts';
import type { PageElement } from '../wire.ts';

/** An element with a longer text is not searched: building the text of a whole page at each click would take long. */
const MAX_TEXT = 10_000;

/**
 * Whether a click was on an element that is found as the elements of steps are. `path` has the clicked element and those around it, so
 * that nothing else of the page is searched. The first way that finds an element counts: the others are for pages where it finds none.
 */
export function isOn(path: readonly EventTarget[], wanted: readonly PageElement[]): boolean {
  const elements = path.filter((target): target is Element => target instanceof Element);
  for (const description of wanted) {
    if (isOnOne(elements, description)) return true;
    const { selector } = description;
    if (selector && description !== wanted.at(-1) && document.querySelector(selector)) return false;
  }
  return false;
}

function isOnOne(path: readonly Element[], { selector, text, shadow_selector }: PageElement): boolean {
  if (!selector) return !!text && holdsDeepest(path, normalize(text));
  const levels = [selector, ...(shadow_selector?.split(SHADOW_SEPARATOR) ?? [])];
  const found = path.filter((element) => isAt(element, levels));
  return text ? found.some((element) => holds(element, normalize(text))) : found.length > 0;
}

/** Whether an element matches the last selector within the shadow root of an element that matches the selectors before. */
function isAt(element: Element | undefined, levels: readonly string[]): boolean {
  const host = (element?.getRootNode() as Partial<ShadowRoot> | undefined)?.host;
  const outer = levels.slice(0, -1);
  return !!element?.matches(levels.at(-1) ?? '') && (outer.length > 0 ? isAt(host, outer) : !host);
}

/** Whether the innermost element with the text was clicked. */
function holdsDeepest(path: readonly Element[], text: string): boolean {
  for (const element of path) {
    if (holds(element, text)) return ![...element.querySelectorAll(':scope>*')].some((inner) => holds(inner, text));
    if (textOf(element).length > MAX_TEXT) return false;
  }
  return false;
}

function holds(element: Element, text: string): boolean {
  return !/^(SCRIPT|STYLE)$/.test(element.tagName) && normalize(textOf(element)).includes(text);
}
