import { useEffect, useRef } from 'react';
import { useSearchParams } from 'wouter';
import type { Document } from '../editor/document.ts';
import type { GoToField } from './field-focus.ts';
import { placeOfPath } from './place-of-path.ts';

/** Goes to the field that the address names (`?field=steps.0.title`), and removes the param from the address. */
export function useFieldInAddress(document: Document, goTo: GoToField): void {
  const [params, setParams] = useSearchParams();
  const path = params.get('field');
  const latest = useRef({ document, goTo });
  latest.current = { document, goTo };
  useEffect(() => {
    if (path === null) return;
    // The frame scrolls to the top after a navigation, and a dialog gives the focus back, so this comes after both.
    const frame = requestAnimationFrame(() => {
      const { document, goTo } = latest.current;
      const { of, field } = placeOfPath(document, path);
      goTo(of, field);
      // The param is removed, so that the address can name the same field again.
      setParams(
        (before) => {
          before.delete('field');
          return before;
        },
        { replace: true },
      );
    });
    return () => cancelAnimationFrame(frame);
  }, [path, setParams]);
}
