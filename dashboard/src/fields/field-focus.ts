/** Goes to a field of the Experience itself (`of` is empty), or of one of its parts. */
export type GoToField = (of: string, field?: string) => void;

/** Marks a field of the inspector with its part and its name, so that it can be found. */
export const fieldMark = (of: string, field: string) => ({ 'data-field': `${of} ${field}` });

/** Finds the field of the inspector, and opens the folds that it is in. A place in a field may be marked only as a whole. */
function findField(of: string, field: string): HTMLElement | null {
  const marked = globalThis.document.querySelector<HTMLElement>(`[data-field="${CSS.escape(`${of} ${field}`)}"]`);
  if (!marked && field.includes('.')) return findField(of, field.replace(/\.[^.]*$/, ''));
  for (let fold = marked?.closest('details'); fold; fold = fold.parentElement?.closest('details')) fold.open = true;
  return marked;
}

/** Marks the field whose text is edited over the preview, until the returned function is called. The focus stays where it is. */
export function markField(of: string, field: string): () => void {
  const marked = findField(of, field);
  marked?.toggleAttribute('data-marked', true);
  // On a phone the field is below the preview, and scrolling to it would hide the preview.
  if (matchMedia('(min-width: 56rem)').matches) marked?.scrollIntoView({ block: 'nearest' });
  return () => marked?.removeAttribute('data-marked');
}

/** Puts the focus into a field, or on its place if there is nothing to choose from yet. */
export function focusField(of: string, field: string): boolean {
  // When the person undoes in the card over the preview, the focus stays in the card.
  if (globalThis.document.activeElement?.closest(`[data-edits="${CSS.escape(`${of} ${field}`)}"]`)) return true;
  const marked = findField(of, field);
  if (!marked) return false;
  // A toolbar may be before the text, so inputs are tried first.
  const control = ['input:not([type=hidden]), textarea, [role=textbox]', 'button'].flatMap(
    (kind) => marked.querySelector<HTMLElement>(kind) ?? [],
  )[0];
  if (!control) marked.tabIndex = -1;
  (control ?? marked).focus();
  (control ?? marked).scrollIntoView({ block: 'nearest' });
  return true;
}
