import { lazy, Suspense } from 'react';
import type { DrawingName } from './drawings.tsx';

// Few people see an empty page, so the drawings are loaded when they are needed. Without them a page says the same.
const DrawingContent = lazy(() => import('./drawings.tsx').catch(() => ({ default: () => null })));

/** A small drawing for an empty page. It says nothing that the text beside it does not say. */
export function Drawing({ of }: { of: DrawingName }) {
  return (
    <svg
      width="168"
      height="92"
      viewBox="0 0 168 92"
      fill="none"
      aria-hidden="true"
      data-drawing={of}
      className="forced-color-adjust-none"
    >
      <Suspense>
        <DrawingContent of={of} />
      </Suspense>
    </svg>
  );
}
