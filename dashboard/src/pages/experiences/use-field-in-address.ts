import { useEffect, useRef } from 'react';
import { useSearchParams } from 'wouter';
import type { Document } from '../../editor/document.ts';
import { placeOfPath } from './content/problem-list.tsx';

/** Goes to the field that the address names (`?field=steps.0.title`), and takes it out of the address. */
export function useFieldInAddress(document: Document, goTo: (of: string, field?: string) => void): void {
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
      // The address can name the same field again.
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

/** The path of a field, as problems name it: the opposite of `placeOfPath`. */
export function pathOfPlace({ steps, items = [] }: Document, of: string, field: string): string {
  const step = steps.findIndex(({ id, buttons }) => id === of || buttons.some((button) => button.id === of));
  const button = steps[step]?.buttons.findIndex(({ id }) => id === of) ?? -1;
  if (step >= 0) return `steps.${step}.${button < 0 ? '' : `buttons.${button}.`}${field}`;
  const item = items.findIndex(({ id }) => id === of);
  return item < 0 ? field : `items.${item}.${field}`;
}
