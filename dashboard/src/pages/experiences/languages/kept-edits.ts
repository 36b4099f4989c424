import type { TextEdit } from './translation-store.ts';

/* Texts that could not be saved, for example without a connection, are kept in this browser. */

const nameOf = (userId: string, id: string) => `usher-translations ${userId} ${id}`;

export function readKept(userId: string, id: string): TextEdit[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(nameOf(userId, id)) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isEdit) : [];
  } catch {
    return [];
  }
}

export function keepEdits(userId: string, id: string, edits: readonly TextEdit[]): void {
  const name = nameOf(userId, id);
  try {
    if (edits.length === 0) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(edits));
  } catch {
    // The storage is blocked or full. The texts are still in the page, which asks before it is left.
  }
}

/** People and extensions can change the storage of a browser, so it may contain anything. */
function isEdit(value: unknown): value is TextEdit {
  const { place, text, base } = (value ?? {}) as Partial<TextEdit>;
  const { language, modelId, field } = place ?? {};
  return (
    [language, modelId, field, text].every((one) => typeof one === 'string') &&
    (base === null || typeof base === 'string')
  );
}
