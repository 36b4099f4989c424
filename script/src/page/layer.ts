import type { Cleanup } from '../kind.ts';
import { closest, isOpenDialog } from './find.ts';
import { addListener, isolateEvents } from './isolate.ts';
import { runAll } from './run-all.ts';
import { findScheme } from './scheme.ts';

/*
 * The layer is a shadow root in the top layer of the browser, so that neither styles nor stacking of the page reach it. An
 * important rule in a shadow root wins over one outside of it: `* {all: unset !important}` has no effect on it.
 */

/**
 * The text is added after the region, because a screen reader reads only what changes in a region that it knows
 * already.
 */
const ANNOUNCE_DELAY_MS = 100;

export interface Layer {
  root(): ShadowRoot;
  addStyle(css: string): void;
  insertInline(target: Element, where: InsertPosition): ShadowRoot;
  announce(text: Element): Cleanup;
  /** Paints in the colors of the page until the cleanup runs, also when the page changes them. */
  followScheme(): Cleanup;
  /**
   * Moves the layer to where it can be used until the cleanup runs: into the open dialog of the page if the target is in one, else
   * above everything.
   */
  moveAbove(target: Element | null): Cleanup;
  /** Leaves a dialog that was closed, and removes the host from the page when nothing is painted. */
  cleanUp(): void;
}

export function createLayer(style: string): Layer {
  isolateEvents();
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  let host: HTMLElement | undefined;
  let announcer: HTMLElement | undefined;
  /** The targets of everything that is painted, the newest last. */
  const targets: (Element | null)[] = [];
  const createHost = () => {
    const created = document.createElement('usher-layer');
    // The script recognizes its own elements by this property.
    Object.assign(created, { usher: true });
    created.attachShadow({ mode: 'open' }).adoptedStyleSheets = [sheet];
    return created;
  };
  const followPage = () => {
    // The first rule of the style sheet is for all hosts.
    const { style } = sheet.cssRules[0] as CSSStyleRule;
    const { documentElement, body } = document;
    const page = getComputedStyle(documentElement);
    // The page may be replacing its body.
    const ofBody = body ? getComputedStyle(body) : page;
    style.setProperty('--scheme', findScheme(page, ofBody));
    // A page without a font of its own has the one of the browser, which is not for controls.
    style.setProperty('--font', /^.?(times|serif)/i.test(ofBody.fontFamily) ? '' : ofBody.fontFamily);
    // Positions in the window do not depend on the zoom of elements of the page, so the layer must not be zoomed either.
    const { currentCSSZoom: zoom = 1 } = (host?.parentElement ?? {}) as { currentCSSZoom?: number };
    style.setProperty('--zoom', `${1 / zoom}`);
  };
  /**
   * Puts the layer on top again. `isBelow`: another element was opened since, and the one that was opened last is on
   * top.
   */
  const moveInto = (parent: Element, isBelow = false) => {
    if (host && (isBelow || !host.isConnected || host.parentElement !== parent)) {
      const focused = host.shadowRoot?.activeElement as HTMLElement | null | undefined;
      parent.append(host);
      // In a browser without popovers, the style sheet sets the highest z-index.
      host.setAttribute('popover', 'manual');
      host.showPopover?.();
      focused?.focus({ preventScroll: true });
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
    // The host is beside the body, because frameworks that own the body remove elements that they do not know.
    if (!host.isConnected) moveInto(findHome());
    return host.shadowRoot as ShadowRoot;
  };
  /** Finds the parent of the layer: an element in fullscreen covers the rest of the page. */
  const findHome = () => {
    const { fullscreenElement: full, documentElement } = document;
    // An element that is added to a frame or a custom element may not show.
    return full && !/video|frame|canvas|-/.test(full.localName) ? full : documentElement;
  };
  const moveToTargets = (isBelow?: boolean) => {
    const parents = targets.map((target) => closest(target, isOpenDialog));
    // In the document of a frame, the layer would lose its style.
    moveInto(parents.findLast((parent) => parent?.ownerDocument === document) ?? findHome(), isBelow);
  };
  const isEmpty = () => host?.shadowRoot?.childElementCount === 1;
  addListener(document, 'fullscreenchange', () => isEmpty() || moveToTargets(true));
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
        // A user who reads the page line by line with a screen reader must not find the announcement later.
        text.remove();
      };
    },
    followScheme: () => {
      const follow = () => {
        // The page may have replaced its body, or may have none now.
        if (document.body) observer.observe(document.body, { attributes: true });
        followPage();
      };
      const observer = new MutationObserver(follow);
      const cleanups = [
        () => observer.disconnect(),
        // A color may change gradually, so the scheme is read again at the end of a transition.
        addListener(document, 'transitionend', ({ target }) => {
          if ((target as Node).contains(document.body)) followPage();
        }),
        addListener(matchMedia('(prefers-color-scheme:dark)'), 'change', followPage),
      ];
      observer.observe(document.documentElement, { attributes: true, childList: true });
      follow();
      return () => runAll(cleanups);
    },
    moveAbove: (target) => {
      root();
      targets.push(target);
      moveToTargets();
      return () => {
        targets.splice(targets.indexOf(target), 1);
        // The target of the next step is often at the same place, so the layer does not move immediately.
        queueMicrotask(() => isEmpty() || moveToTargets());
      };
    },
    cleanUp: () => {
      const parent = host?.parentElement;
      if (isEmpty()) host?.remove();
      else if (host && parent !== findHome() && !(parent && isOpenDialog(parent))) moveToTargets();
    },
  };
}
