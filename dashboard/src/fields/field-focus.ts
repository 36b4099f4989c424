/** Goes to a field of the Experience itself (`of` is empty), or of one of its parts. */
export type GoToField = (of: string, field?: string) => void;

/** Each field of the inspector is marked with what it is about. */
export const fieldMark = (of: string, field: string) => ({ 'data-field': `${of} ${field}` });

/** Finds the field of the inspector, and opens the folds that it is in. */
function findField(of: string, field: string): HTMLElement | null {
  const marked = globalThis.document.querySelector<HTMLElement>(`[data-field="${CSS.escape(`${of} ${field}`)}"]`);
  for (let fold = marked?.closest('details'); fold; fold = fold.parentElement?.closest('details')) fold.open = true;
  return marked;
}

/** Marks the field whose text is edited over the preview, until the returned function is called. The focus stays where it is. */
export function markField(of: string, field: string): () => void {
  const marked = findField(of, field);
  marked?.toggleAttribute('data-marked', true);
  // On a phone it is below the preview, which would be scrolled out of view.
  if (matchMedia('(min-width: 56rem)').matches) marked?.scrollIntoView({ block: 'nearest' });
  return () => marked?.removeAttribute('data-marked');
}

/** Puts the focus into a field, or on the place of one that has nothing to choose from yet. */
export function focusField(of: string, field: string): boolean {
  // Undo in the card over the preview stays there.
  if (globalThis.document.activeElement?.closest(`[data-edits="${CSS.escape(`${of} ${field}`)}"]`)) return true;
  const marked = findField(of, field);
  if (!marked) return false;
  // A toolbar may stand before the text.
  const control = ['input, textarea', 'button'].flatMap((kind) => marked.querySelector<HTMLElement>(kind) ?? [])[0];
  if (!control) marked.tabIndex = -1;
  (control ?? marked).focus();
  (control ?? marked).scrollIntoView({ block: 'nearest' });
  return true;
}
