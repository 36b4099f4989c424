import type { KeyboardEvent } from 'react';

type Field = HTMLTextAreaElement;

const isField = (target: EventTarget): target is Field =>
  target instanceof HTMLTextAreaElement && target.dataset.text !== undefined;

/**
 * Moves through the texts of a language by keyboard: Enter and the arrow keys go to the next text, Alt with an arrow
 * key to the next text with something to do. Tab goes to the same text in the other language.
 */
export function onFieldKey(event: KeyboardEvent<HTMLElement>, save: () => void): void {
  const { target, key, nativeEvent, shiftKey, altKey } = event;
  const isMod = event.ctrlKey || event.metaKey;
  if (isMod && key.toLowerCase() === 's') {
    event.preventDefault();
    save();
    return;
  }
  // Enter may only end the composition of a Chinese word.
  if (!isField(target) || nativeEvent.isComposing || isMod) return;
  const next = findNext(event.currentTarget, target, key, { shiftKey, altKey });
  if (key === 'Enter' && (!shiftKey || !target.dataset.lines)) event.preventDefault();
  if (!next) return;
  event.preventDefault();
  next.focus();
  next.setSelectionRange(0, next.value.length);
  next.scrollIntoView({ block: 'nearest' });
}

interface Modifiers {
  shiftKey: boolean;
  altKey: boolean;
}

function findNext(table: HTMLElement, field: Field, key: string, { shiftKey, altKey }: Modifiers): Field | undefined {
  const fields = [...table.querySelectorAll<Field>('textarea[data-text]')].filter(({ lang }) => lang === field.lang);
  const at = fields.indexOf(field);
  const [before, after] = [fields.slice(0, at).reverse(), fields.slice(at + 1)];
  const isToDo = ({ dataset }: Field) => dataset.todo !== undefined;
  if (altKey) {
    if (key === 'ArrowDown') return after.find(isToDo);
    return key === 'ArrowUp' ? before.find(isToDo) : undefined;
  }
  if (shiftKey) return undefined;
  const { selectionStart, selectionEnd, value } = field;
  const isWhole = selectionStart === 0 && selectionEnd === value.length;
  if (key === 'Enter') return after[0];
  if (key === 'ArrowDown' && (isWhole || selectionStart === value.length)) return after[0];
  if (key === 'ArrowUp' && (isWhole || selectionEnd === 0)) return before[0];
  return undefined;
}
