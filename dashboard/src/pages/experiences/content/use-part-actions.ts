import { kinds } from '@usher/domain/kinds';
import { type KeyboardEvent, useRef, useState } from 'react';
import { addPart, duplicatePart, movePart, removePart } from '../../../editor/commands.ts';
import type { Editor } from '../../../editor/use-editor.ts';
import { newStepFields } from '../../../kinds/new-parts.ts';
import * as text from '../../../messages/text.ts';
import { showToast } from '../../../ui/toast.tsx';
import { partsOf, type Selection } from './use-selection.ts';

const texts = text.content;

/** The list is vertical, and horizontal on phones. */
const stepOfKey: Record<string, number> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/**
 * Adds, copies, moves and deletes parts, also by keys. The focus follows the part, and screen readers announce `said`.
 */
export function usePartActions(editor: Editor, selection: Selection) {
  const { document, change, isReadOnly } = editor;
  const { parts: list } = kinds[document.kind];
  const parts = partsOf(document);
  const root = useRef<HTMLOListElement>(null);
  const [said, setSaid] = useState('');
  const focusPart = (id: string) =>
    requestAnimationFrame(() => root.current?.querySelector<HTMLElement>(`[data-part="${id}"]`)?.focus());
  const selectPart = (id: string) => {
    selection.select(id);
    focusPart(id);
  };
  const add = () => {
    const command = addPart(list, newStepFields(document), { after: selection.part?.id });
    change(command);
    selection.goTo(command.id, 'title');
  };
  const copy = (id: string) => {
    const command = duplicatePart(list, id);
    change(command);
    selectPart(command.id);
  };
  const move = (id: string, to: number) => {
    if (to < 0 || to >= parts.length) return;
    change(movePart(list, id, to));
    setSaid(texts.moved(to + 1, parts.length));
    focusPart(id);
  };
  const remove = (id: string) => {
    const index = parts.findIndex((part) => part.id === id);
    const next = parts[index + 1] ?? parts[index - 1];
    change(removePart(list, id));
    if (next) selectPart(next.id);
    const { deleted } = list === 'steps' ? texts.stepWords : texts.itemWords;
    showToast({ title: deleted(index + 1), onUndo: editor.undo });
  };
  const onKey = (event: KeyboardEvent, id: string, index: number) => {
    const step = stepOfKey[event.key] ?? 0;
    if (step !== 0) {
      event.preventDefault();
      const other = parts[index + step];
      if (event.altKey && !isReadOnly) move(id, index + step);
      else if (!event.altKey && other) selectPart(other.id);
    } else if ((event.key === 'Delete' || event.key === 'Backspace') && !isReadOnly) {
      event.preventDefault();
      remove(id);
    }
  };
  return { root, said, add, copy, move, remove, onKey };
}
