import type { Cleanup } from '../kind.ts';

/*
 * Where all of it is painted: a shadow root in the top layer, so that neither styles nor stacking of the page reach it. What
 * is important in a shadow root wins over what is important outside: `* {all: unset !important}` does nothing to it.
 */
const SAID = '.said{position:fixed;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}';

export interface Layer {
  root(): ShadowRoot;
  style(css: string): void;
  inline(target: Element, where: InsertPosition): { root: ShadowRoot; remove: Cleanup };
  say(text: string): void;
  /** Puts it where it can be used: into the dialog of the page that the target is in, else over everything. */
  over(target: Element | null): void;
  /** Leaves a dialog that was closed, and the page when nothing is painted. */
  settle(): void;
}

export function createLayer(base: string): Layer {
  const shared = new CSSStyleSheet();
  shared.replaceSync(base + SAID);
  const added = new Set<string>();
  let host: HTMLElement | undefined;
  let said: HTMLElement | undefined;
  const makeHost = () => {
    const made = document.createElement('usher-layer');
    // How the rest knows it.
    Object.assign(made, { usher: true });
    made.attachShadow({ mode: 'open' }).adoptedStyleSheets = [shared];
    return made;
  };
  const raise = (parent: Element) => {
    if (!host || (host.isConnected && host.parentElement === parent)) return;
    parent.append(host);
    // Where there is no top layer, the style sheet does what it can.
    host.setAttribute('popover', 'manual');
    host.showPopover?.();
  };
  const root = () => {
    if (!host) {
      host = makeHost();
      said = document.createElement('div');
      said.className = 'said';
      said.ariaLive = 'polite';
      host.shadowRoot?.append(said);
    }
    // Beside the body: frameworks that own the body throw out what they do not know.
    if (!host.isConnected) raise(document.documentElement);
    return host.shadowRoot as ShadowRoot;
  };
  return {
    root,
    style: (css) => {
      if (added.has(css)) return;
      added.add(css);
      shared.replaceSync(base + SAID + [...added].join(''));
    },
    inline: (target, where) => {
      const made = makeHost();
      target.insertAdjacentElement(where, made);
      return { root: made.shadowRoot as ShadowRoot, remove: () => made.remove() };
    },
    say: (text) => {
      root();
      if (said) said.textContent = text;
    },
    over: (target) => {
      root();
      raise(target?.closest('dialog:modal') ?? document.documentElement);
    },
    settle: () => {
      if (!host) return;
      if (host.closest('dialog:not([open])')) raise(document.documentElement);
      if (host.shadowRoot?.childElementCount === 1) host.remove();
    },
  };
}
