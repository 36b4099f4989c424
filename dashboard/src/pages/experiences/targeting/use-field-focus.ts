import { useCallback, useEffect, useRef } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import type { Editor } from '../../../editor/use-editor.ts';
import { placeOfPath } from '../content/problem-list.tsx';
import { focusField } from '../content/use-selection.ts';
import { isTargetingField } from './targeting-fields.ts';

/**
 * Puts the focus into the field that the address names (`?field=segment_ids`), and into the one that undo has changed. Returns a
 * function that goes to any field, of this tab or of the content.
 */
export function useFieldFocus({ document, moved }: Editor): (of: string, field?: string) => void {
  const [params, setParams] = useSearchParams();
  const [location, navigate] = useLocation();
  const path = params.get('field');
  const latest = useRef(document);
  latest.current = document;
  useEffect(() => {
    if (path === null) return;
    const { of, field } = placeOfPath(latest.current, path);
    // The frame scrolls to the top after a navigation, so this comes after that. The address can name the same field again.
    const frame = requestAnimationFrame(() => {
      if (field !== undefined) focusField(of, field);
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
  const goTo = useCallback(
    (of: string, field?: string) => {
      if (field === undefined || !isTargetingField(field)) navigate(location.replace(/\/targeting$/, ''));
      else focusField(of, field);
    },
    [location, navigate],
  );
  const count = moved?.count;
  const at = useRef(moved);
  at.current = moved;
  useEffect(() => {
    const { of, field } = at.current ?? {};
    if (count !== undefined && of !== undefined && field !== undefined) focusField(of, field);
  }, [count]);
  return goTo;
}
