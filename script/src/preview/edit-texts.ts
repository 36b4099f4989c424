import type { Ui } from '../kind.ts';
import type { PathOf } from './text-paths.ts';

/** Marks the elements with texts of the author with `data-path`, and makes the keyboard reach them where they can be edited. */
export function markTexts(ui: Ui, pathOf: PathOf, mode: string): void {
  const { toNodes } = ui;
  const found = new Map<Node, string>();
  const mark = () => {
    for (const [node, path] of found) {
      const element = elementOf(node);
      if (!element) continue;
      const root = element.getRootNode();
      if (root instanceof ShadowRoot) (root.host as HTMLElement).dataset.mode = mode;
      element.dataset.path = path;
      if (mode === 'edit' && element.tabIndex < 0) element.tabIndex = 0;
    }
    found.clear();
  };
  ui.toNodes = (text) => {
    const nodes = toNodes(text);
    const path = pathOf(text);
    if (!path) return nodes;
    // The elements of the texts are in the page only after the current paint, so they are marked in a microtask.
    if (found.size === 0) queueMicrotask(mark);
    for (const node of nodes) found.set(node, path);
    return nodes;
  };
}

/** The element of a text: the whole body, not one of its paragraphs. */
function elementOf(node: Node): HTMLElement | null {
  const parent = node.parentElement;
  if (node instanceof HTMLAnchorElement && !parent?.closest('.body')) return node;
  return parent?.closest<HTMLElement>('.body') ?? parent;
}

/**
 * Finds the text that an event hit, and its element. The text of a field is its placeholder, and that of a list its
 * first answer.
 */
export function textAt(event: Event, step: number): { path: string; element: HTMLElement } | undefined {
  for (const element of event.composedPath()) {
    if (!(element instanceof HTMLElement)) continue;
    const { dataset, localName } = element;
    const name = element.matches('textarea,input:not([type=date])')
      ? 'placeholder'
      : localName === 'select' && 'dropdown_items.0';
    const path = dataset.path ?? (name && `steps.${step}.${name}`);
    if (path) return { path, element };
  }
  return undefined;
}
