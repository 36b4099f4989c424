import type { Cleanup } from '../kind.ts';
import type { Watch } from './watch.ts';

/** A page that removes it again each time keeps its element without ours. */
const MAX_TRIES = 20;
const QUIET_MS = 1000;

/** Puts an element of ours back when the page has rendered its target again without it. */
export function keepInline(host: Element, target: Element, where: InsertPosition, watch: Watch): Cleanup {
  let tries = 0;
  let lastAt = 0;
  return watch.add(() => {
    if (host.isConnected || !target.isConnected) return;
    const now = performance.now();
    if (now - lastAt > QUIET_MS) tries = 0;
    if (++tries > MAX_TRIES) return;
    lastAt = now;
    target.insertAdjacentElement(where, host);
  });
}
