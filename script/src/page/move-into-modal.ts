import type { Ui } from '../kind.ts';
import { isVisible, listPopovers } from './find.ts';

/**
 * Keeps a panel of the layer usable: while the page has a modal dialog, the browser blocks everything outside of the dialog, and it
 * closes an open popover when the user clicks outside of it.
 */
export function moveIntoModal(ui: Ui, panel: Element): void {
  const host = ui.root().host as HTMLElement;
  const modal = findModal(document) ?? (isReachable(panel, host) ? undefined : findInShadowRoots(document));
  const parent = listPopovers(modal ?? document).at(-1) ?? modal;
  if (parent) {
    if (parent.contains(host)) return;
    parent.append(host);
    host.showPopover();
  } else if (host.parentElement && !isVisible(host.parentElement)) {
    // The dialog was closed, and the layer puts itself back into the page.
    host.remove();
    ui.root();
  }
}

function findModal(root: ParentNode): Element | undefined {
  return [...root.querySelectorAll('dialog:modal')].at(-1);
}

/** Searches all elements, which takes time, so it is called only while the panel is blocked. */
function findInShadowRoots(root: ParentNode): Element | undefined {
  const roots = [...root.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? []);
  return roots.map((inner) => findInShadowRoots(inner) ?? findModal(inner)).find(Boolean);
}

function isReachable(panel: Element, host: Element): boolean {
  const { left, top, width, height } = panel.getBoundingClientRect();
  const root = host.getRootNode() as Document | ShadowRoot;
  return root.elementFromPoint(left + width / 2, top + height / 2) === host;
}
