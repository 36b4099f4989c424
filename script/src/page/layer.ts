import type { Cleanup } from '../kind.ts';
import { closest, dialogs, isOurs, isVisible } from './find.ts';
import { addListener, isolateEvents } from './isolate.ts';
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
  /** Paints in the colors of the page until the cleanup runs, also when the page changes them. */
  followScheme(): Cleanup;
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
  let lastTarget: Element | null = null;
  const createHost = () => {
    const created = document.createElement('usher-layer');
    // The script recognizes its own elements by this property.
    Object.assign(created, { usher: true });
    created.attachShadow({ mode: 'open' }).adoptedStyleSheets = [sheet];
    return created;
  };
  const followPage = () => {
    // The first rule is for all hosts.
    const { style } = sheet.cssRules[0] as CSSStyleRule;
    style.setProperty('--scheme', findScheme());
    // Positions in the window do not depend on the zoom of elements of the page, so the layer must not be zoomed either.
    const { currentCSSZoom: zoom = 1 } = (host?.parentElement ?? {}) as { currentCSSZoom?: number };
    style.setProperty('--zoom', `${1 / zoom}`);
  };
  const moveInto = (parent: Element) => {
    if (host && !(host.isConnected && host.parentElement === parent)) {
      parent.append(host);
      // In a browser without popovers, the style sheet sets the highest z-index.
      host.setAttribute('popover', 'manual');
      host.showPopover?.();
    }
    followPage();
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
    if (!host.isConnected) moveInto(findHome());
    return host.shadowRoot as ShadowRoot;
  };
  /** An element in fullscreen covers the rest of the page. */
  const findHome = () => {
    const { fullscreenElement: full, documentElement } = document;
    // What is added to a frame or to a custom element may not show.
    return full && !/video|frame|canvas|-/.test(full.localName) ? full : documentElement;
  };
  const moveAbove = (target: Element | null) => {
    root();
    lastTarget = target;
    const isDialog = (element: Element) => element.matches(`${dialogs},[popover]`) && !isOurs(element);
    const dialog = closest(target, isDialog);
    // In the document of a frame, the layer would lose its style.
    moveInto(dialog?.ownerDocument === document ? dialog : findHome());
  };
  addListener(document, 'fullscreenchange', () => {
    if (!host?.isConnected) return;
    // What was opened last is on top.
    host.remove();
    moveAbove(lastTarget);
  });
  return {
    root,
    addStyle: (css) => {
      if (style.includes(css)) return;
      style += css;
      sheet.replaceSync(style);
      followPage();
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
    followScheme: () => {
      const observer = new MutationObserver(followPage);
      for (const element of [document.documentElement, document.body]) observer.observe(element, { attributes: true });
      // A color may change gradually.
      const stopListening = addListener(document, 'transitionend', ({ target }) => {
        if ((target as Node).contains(document.body)) followPage();
      });
      followPage();
      return () => {
        observer.disconnect();
        stopListening();
      };
    },
    moveAbove,
    cleanUp: () => {
      if (!host) return;
      if (host.shadowRoot?.childElementCount === 1) host.remove();
      else if (!host.parentElement || !isVisible(host.parentElement)) moveInto(findHome());
    },
  };
}
