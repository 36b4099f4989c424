import { useCallback, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import type { Editor } from '../../../editor/use-editor.ts';
import { focusField, type GoToField } from '../../../fields/field-focus.ts';
import { pathOfPlace } from '../../../fields/place-of-path.ts';
import { isTargetingField } from '../../../fields/targeting-fields.ts';
import { useFieldInAddress } from '../../../fields/use-field-in-address.ts';

/**
 * Puts the focus into the field that the address names (`?field=segment_ids`), and into the field that undo has
 * changed. Returns a function that goes to any field of this tab or of the content.
 */
export function useFieldFocus({ document, moved }: Editor): GoToField {
  const [location, navigate] = useLocation();
  const goTo = useCallback(
    (of: string, field?: string) => {
      if (field !== undefined && isTargetingField(field)) return void focusField(of, field);
      const place = field === undefined ? '' : `?field=${encodeURIComponent(pathOfPlace(document, of, field))}`;
      navigate(`${location.replace(/\/targeting$/, '')}${place}`);
    },
    [document, location, navigate],
  );
  useFieldInAddress(document, goTo);
  const count = moved?.count;
  const at = useRef(moved);
  at.current = moved;
  useEffect(() => {
    const { of, field } = at.current ?? {};
    if (count !== undefined && of !== undefined && field !== undefined) focusField(of, field);
  }, [count]);
  return goTo;
}
