import type { Cleanup } from '../kind.ts';
import type { Watch } from './watch.ts';

/** The page has won if it removes our element this often. Its target then stays without our element. */
const MAX_TRIES = 20;
const QUIET_MS = 1000;

/** Puts an element of ours back when the page has rendered its target again without it. */
export function keepInline(host: Element, target: Element, where: InsertPosition, watch: Watch): Cleanup {
  let tries = 0;
  let lastAt = 0;
  let quietMs = QUIET_MS;
  let focused: HTMLElement | null | undefined;
  return watch.add(() => {
    if (host.isConnected) focused = host.shadowRoot?.activeElement as HTMLElement | null | undefined;
    if (host.isConnected || !target.isConnected) return;
    const now = performance.now();
    if (now - lastAt > quietMs) tries = 0;
    lastAt = now;
    // Once the page has won, each change doubles the quiet time after which the script tries again.
    if (++tries > MAX_TRIES) quietMs *= 2;
    else target.insertAdjacentElement(where, host);
    // The user may have moved the focus since.
    if (document.activeElement === document.body) focused?.focus({ preventScroll: true });
  });
}
