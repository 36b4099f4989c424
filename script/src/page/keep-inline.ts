import type { Cleanup } from '../kind.ts';
import type { Watch } from './watch.ts';

/**
 * If the page removes the element this often, the script gives up for a while, and the target stays without the
 * element.
 */
const MAX_TRIES = 20;
const QUIET_MS = 1000;

/** Puts an element of the script back when the page has rendered its target again without it. */
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
    // After the script has given up, each change doubles the quiet time after which it tries again.
    if (++tries > MAX_TRIES) quietMs *= 2;
    else target.insertAdjacentElement(where, host);
    // The user may have moved the focus since.
    if (document.activeElement === document.body) focused?.focus({ preventScroll: true });
  });
}
