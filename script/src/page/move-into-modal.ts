import type { Ui } from '../kind.ts';
import { isVisible } from './find.ts';

/** Keeps a panel of the layer usable: while the page has a modal dialog, the browser blocks everything outside of the dialog. */
export function moveIntoModal(ui: Ui): void {
  const host = ui.root().host as HTMLElement;
  const modal = [...document.querySelectorAll('dialog:modal')].at(-1);
  if (modal) {
    if (modal.contains(host)) return;
    modal.append(host);
    host.showPopover();
  } else if (host.parentElement && !isVisible(host.parentElement)) {
    // The dialog was closed. The layer puts itself back into the page.
    host.remove();
    ui.root();
  }
}
