import type { KeyboardEvent } from 'react';

/** A text area, or the text of an editor. */
const FIELD = '[data-text]';

const fieldOf = (target: EventTarget) => (target instanceof HTMLElement && target.matches(FIELD) ? target : undefined);

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
  const field = fieldOf(target);
  // Enter may only end the composition of a Chinese word.
  if (!field || nativeEvent.isComposing || isMod) return;
  const next = findNext(event.currentTarget, field, key, { shiftKey, altKey });
  if (key === 'Enter' && (!shiftKey || !field.dataset.lines)) event.preventDefault();
  if (!next) return;
  event.preventDefault();
  next.focus();
  selectAll(next);
  next.scrollIntoView({ block: 'nearest' });
}

function selectAll(field: HTMLElement): void {
  if (field instanceof HTMLTextAreaElement) field.select();
  else getSelection()?.selectAllChildren(field);
}

interface Modifiers {
  shiftKey: boolean;
  altKey: boolean;
}

type NextField = HTMLElement | undefined;

function findNext(table: HTMLElement, field: HTMLElement, key: string, { shiftKey, altKey }: Modifiers): NextField {
  const fields = [...table.querySelectorAll<HTMLElement>(FIELD)].filter(({ lang }) => lang === field.lang);
  const at = fields.indexOf(field);
  const [before, after] = [fields.slice(0, at).reverse(), fields.slice(at + 1)];
  const isToDo = ({ dataset }: HTMLElement) => dataset.todo !== undefined;
  if (altKey) {
    if (key === 'ArrowDown') return after.find(isToDo);
    return key === 'ArrowUp' ? before.find(isToDo) : undefined;
  }
  if (shiftKey) return undefined;
  if (key === 'Enter') return after[0];
  const { isAtStart, isAtEnd } = edgesOf(field);
  if (key === 'ArrowDown' && isAtEnd) return after[0];
  if (key === 'ArrowUp' && isAtStart) return before[0];
  return undefined;
}

/** Whether the caret is at the start or the end of the text. A text that is selected as a whole is at both. */
function edgesOf(field: HTMLElement): { isAtStart: boolean; isAtEnd: boolean } {
  if (field instanceof HTMLTextAreaElement) {
    const { selectionStart, selectionEnd, value } = field;
    const isWhole = selectionStart === 0 && selectionEnd === value.length;
    return { isAtStart: isWhole || selectionEnd === 0, isAtEnd: isWhole || selectionStart === value.length };
  }
  const selection = getSelection();
  if (!selection || selection.rangeCount === 0) return { isAtStart: false, isAtEnd: false };
  const range = selection.getRangeAt(0);
  const isEmptyUntil = (node: Node, offset: number, isBefore: boolean) => {
    const rest = document.createRange();
    rest.selectNodeContents(field);
    if (isBefore) rest.setEnd(node, offset);
    else rest.setStart(node, offset);
    return rest.toString() === '';
  };
  const isFirst = isEmptyUntil(range.startContainer, range.startOffset, true);
  const isLast = isEmptyUntil(range.endContainer, range.endOffset, false);
  const isWhole = isFirst && isLast;
  return { isAtStart: isFirst && (range.collapsed || isWhole), isAtEnd: isLast && (range.collapsed || isWhole) };
}
