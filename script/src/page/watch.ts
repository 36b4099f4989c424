import type { Cleanup } from '../kind.ts';
import { listen } from './navigate.ts';

/** One observer for all who wait, and none while nobody does. Each looks again in the frame after something changed. */
export interface Watch {
  /** Looks at once, and whenever the page has changed. */
  add(check: () => void): Cleanup;
  /** A document or shadow root beside the page that is to be observed too. */
  look(root: Node): void;
  /** Something changed that an observer does not see. */
  changed(): void;
}

const types = ['transitionend', 'animationend', 'load', 'toggle', 'visibilitychange'];
const what = { childList: true, subtree: true, attributes: true, characterData: true };

export function createWatch(): Watch {
  const checks = new Set<() => void>();
  let roots = new Set<Node>();
  let undo: Cleanup[] = [];
  let frame = 0;
  const run = (check: () => void) => {
    try {
      check();
    } catch (error) {
      console.debug('usher', error);
    }
  };
  const changed = () => {
    if (checks.size > 0)
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        checks.forEach(run);
      });
  };
  const observer = new MutationObserver(changed);
  const look = (root: Node) => {
    if (checks.size === 0 || roots.has(root)) return;
    roots.add(root);
    observer.observe(root, what);
    // What is hidden by a style may come by a transition; a frame comes when it is loaded.
    for (const type of types) undo.push(listen(root, type, changed, true));
  };
  return {
    look,
    changed,
    add: (check) => {
      const entry = () => check();
      checks.add(entry);
      if (checks.size === 1) {
        look(document);
        undo.push(listen(window, 'resize', changed));
      }
      run(entry);
      return () => {
        checks.delete(entry);
        if (checks.size > 0 || undo.length === 0) return;
        cancelAnimationFrame(frame);
        frame = 0;
        observer.disconnect();
        roots = new Set();
        for (const one of undo) one();
        undo = [];
      };
    },
  };
}
