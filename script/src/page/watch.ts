import type { Cleanup } from '../kind.ts';
import { addListener } from './isolate.ts';
import { runAll } from './run-all.ts';
import { safely } from './safely.ts';

/**
 * Runs checks in the frame after the page has changed, or later if they take long. All checks share one observer; without checks
 * there is none.
 */
export interface Watch {
  /** Runs the check now, and after each change of the page. */
  add(check: () => void): Cleanup;
  /** Observes a frame's document or a shadow root too. */
  observe(root: Node): void;
  /** Call it after a change that an observer does not see. */
  changed(): void;
}

// An element that a style hides may appear with a transition, and a frame when it has loaded. A dialog that opens takes the focus, also
// inside of a shadow root that is not observed.
const eventTypes = 'transitionend,animationend,load,toggle,visibilitychange,fullscreenchange,focusin'.split(',');
/** Checks take at most a tenth of the time: a search for a text in thousands of rows takes longer than a frame. */
const PAUSE_FACTOR = 9;
const MIN_PAUSE_MS = 9;
const MAX_PAUSE_MS = 1000;
const mutations = { childList: true, subtree: true, attributes: true, characterData: true };

export function createWatch(): Watch {
  const checks = new Set<() => void>();
  const roots = new Map<Node, Cleanup[]>();
  let isScheduled = false;
  let pauseMs = 0;
  const run = () => {
    isScheduled = false;
    const startedAt = performance.now();
    // The observer would keep removed documents in memory. The document of a removed frame has no window.
    for (const [root, cleanups] of roots)
      if (!root.isConnected || !(root.ownerDocument ?? (root as Document)).defaultView) {
        runAll(cleanups);
        roots.delete(root);
      }
    checks.forEach(safely);
    pauseMs = Math.min((performance.now() - startedAt) * PAUSE_FACTOR, MAX_PAUSE_MS);
  };
  const changed = () => {
    if (checks.size === 0 || isScheduled) return;
    isScheduled = true;
    if (pauseMs < MIN_PAUSE_MS) requestAnimationFrame(run);
    else setTimeout(run, pauseMs);
  };
  const observer = new MutationObserver(changed);
  const observe = (root: Node) => {
    if (checks.size === 0 || roots.has(root)) return;
    observer.observe(root, mutations);
    roots.set(
      root,
      eventTypes.map((type) => addListener(root, type, changed, true)),
    );
  };
  return {
    observe,
    changed,
    add: (check) => {
      checks.add(check);
      if (checks.size === 1) {
        observe(document);
        roots.get(document)?.push(addListener(window, 'resize', changed));
      }
      safely(check);
      return () => {
        checks.delete(check);
        if (checks.size > 0) return;
        observer.disconnect();
        roots.forEach(runAll);
        roots.clear();
      };
    },
  };
}
