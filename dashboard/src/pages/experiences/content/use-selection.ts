import { kinds } from '@usher/domain/kinds';
import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import type { Document, ListItem, Step } from '../../../editor/document.ts';
import type { Editor } from '../../../editor/use-editor.ts';
import { focusField, type GoToField } from '../../../fields/field-focus.ts';

/** What the inspector shows: a step or an item by its ID, or the launcher itself. */
type Selected = string | 'launcher';

export interface Selection {
  selected: Selected | undefined;
  /** The selected step or item. */
  part: Step | ListItem | undefined;
  select(id: Selected): void;
  /** Selects the part of a field, and puts the focus there. */
  goTo: GoToField;
  /** Is called when fields appear that were not there when the focus should have gone to one of them. */
  settle: () => void;
}

export function useSelection({ document, moved, openPart }: Editor): Selection {
  const [chosen, setChosen] = useState<Selected>();
  const waiting = useRef<{ of: string; field: string | undefined }>(undefined);
  // Selecting the selected part again renders nothing, but the focus must move all the same.
  const [, renderAgain] = useReducer((count: number) => count + 1, 0);
  const parts = partsOf(document);
  const selected = chosen === 'launcher' || parts.some(({ id }) => id === chosen) ? chosen : firstOf(document);
  useEffect(() => {
    openPart.current = selected;
  }, [openPart, selected]);
  const goTo = useCallback(
    (of: string, field?: string) => {
      waiting.current = { of, field };
      setChosen(ownerOf(document, of));
      renderAgain();
    },
    [document],
  );
  // This runs after each render, because the field may not have been rendered before.
  useEffect(() => {
    if (!waiting.current) return;
    const { of, field } = waiting.current;
    if (field === undefined || focusField(of, field)) waiting.current = undefined;
  });
  const count = moved?.count;
  const at = useRef(moved);
  at.current = moved;
  const latest = useRef(goTo);
  latest.current = goTo;
  // Shows the field that undo has changed.
  useEffect(() => {
    if (count !== undefined && at.current) latest.current(at.current.of, at.current.field);
  }, [count]);
  return { selected, part: parts.find(({ id }) => id === selected), select: setChosen, goTo, settle: renderAgain };
}

export function partsOf({ kind, steps, items = [] }: Document): (Step | ListItem)[] {
  return kinds[kind].parts === 'items' ? items : steps;
}

function firstOf(document: Document): Selected | undefined {
  return kinds[document.kind].parts === 'items' ? 'launcher' : document.steps[0]?.id;
}

/** The step of a button, or the part itself. */
function ownerOf(document: Document, of: string): Selected | undefined {
  if (of === '') return firstOf(document);
  return document.steps.find(({ buttons }) => buttons.some(({ id }) => id === of))?.id ?? of;
}
