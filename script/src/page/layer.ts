import type { Cleanup } from '../kind.ts';
import { dialogs, isVisible } from './find.ts';
import { isolateEvents } from './isolate.ts';
import { findScheme } from './scheme.ts';

/*
 * The layer is a shadow root in the top layer of the browser, so that neither styles nor stacking of the page reach it. An
 * important rule in a shadow root wins over one outside of it: `* {all: unset !important}` has no effect on it.
 */

/** A screen reader reads only what changes in a region that it knows already. */
const ANNOUNCE_DELAY_MS = 100;

export interface Layer {
  root(): ShadowRoot;
  addStyle(css: string): void;
  insertInline(target: Element, where: InsertPosition): ShadowRoot;
  announce(text: Element): Cleanup;
  /** Moves the layer to where it can be used: into the dialog of the page if the target is in one, else above everything. */
  moveAbove(target: Element | null): void;
  /** Leaves a dialog that was closed, and removes the host from the page when nothing is painted. */
  cleanUp(): void;
}

export function createLayer(style: string): Layer {
  isolateEvents();
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  let host: HTMLElement | undefined;
  let announcer: HTMLElement | undefined;
  const createHost = () => {
    const created = document.createElement('usher-layer');
    // The script recognizes its own elements by this property.
    Object.assign(created, { usher: true });
    created.attachShadow({ mode: 'open' }).adoptedStyleSheets = [sheet];
    setScheme(created);
    return created;
  };
  const setScheme = ({ style }: HTMLElement) => style.setProperty('--scheme', findScheme());
  const moveInto = (parent: Element) => {
    if (!host || (host.isConnected && host.parentElement === parent)) return;
    parent.append(host);
    // In a browser without popovers, the style sheet sets the highest z-index.
    host.setAttribute('popover', 'manual');
    host.showPopover?.();
  };
  const root = () => {
    if (!host) {
      host = createHost();
      announcer = document.createElement('div');
      announcer.className = 'announcer';
      announcer.ariaLive = 'polite';
      host.shadowRoot?.append(announcer);
    }
    // It is beside the body, because frameworks that own the body remove elements that they do not know.
    if (!host.isConnected) moveInto(document.documentElement);
    return host.shadowRoot as ShadowRoot;
  };
  return {
    root,
    addStyle: (css) => {
      if (style.includes(css)) return;
      style += css;
      sheet.replaceSync(style);
    },
    insertInline: (target, where) => {
      const inlineHost = createHost();
      target.insertAdjacentElement(where, inlineHost);
      return inlineHost.shadowRoot as ShadowRoot;
    },
    announce: (text) => {
      root();
      const timer = setTimeout(() => announcer?.replaceChildren(text), ANNOUNCE_DELAY_MS);
      return () => {
        clearTimeout(timer);
        // Who reads the page line by line must not find it later.
        text.remove();
      };
    },
    moveAbove: (target) => {
      setScheme(root().host as HTMLElement);
      const dialog = target?.closest(dialogs);
      // In the document of a frame, the layer would lose its style.
      moveInto(dialog?.ownerDocument === document ? dialog : document.documentElement);
    },
    cleanUp: () => {
      if (!host) return;
      if (host.shadowRoot?.childElementCount === 1) host.remove();
      else if (!host.parentElement || !isVisible(host.parentElement)) moveInto(document.documentElement);
    },
  };
}
