import { useDeferredValue } from 'react';

/**
 * Whether the first frame of a component is painted. What takes long to render waits for it, so that the heading of a page shows
 * immediately after a click; the rest is rendered in pieces, between which the page reacts to the person.
 */
export function useAfterPaint(): boolean {
  return useDeferredValue(true, false);
}
