import { startTransition, useEffect, useState } from 'react';

/**
 * Whether the first frame of a component is painted. What takes long to render waits for it, so that the heading of a page shows
 * immediately after a click; the rest is rendered in pieces, between which the page reacts to the person. A deferred value would not
 * wait for the frame: the rows of a list then delayed it by 200 ms.
 */
export function useAfterPaint(): boolean {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => {
    // The first callback runs before the frame is painted, and the second one after it.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => startTransition(() => setPainted(true)));
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  return isPainted;
}
