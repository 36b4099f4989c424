import { applyDiff, type Diff, diffDocuments, isEmptyDiff } from './diff.ts';
import type { Document } from './document.ts';

/** The changes that undo and redo apply. They are plain JSON, so they can be stored. */
export interface History {
  past: readonly Entry[];
  future: readonly Entry[];
}

interface Entry {
  diff: Diff;
  /** Changes with the same key that follow each other quickly count as one change, such as the letters of a word. */
  key?: string | undefined;
  at: number;
}

export const emptyHistory: History = { past: [], future: [] };

/** Changes with a longer pause between them are undone separately. */
const PAUSE_MS = 1_000;
const MAX_ENTRIES = 200;

export function recordChange(
  history: History,
  before: Document,
  after: Document,
  now: number,
  key?: string | undefined,
): History {
  const diff = diffDocuments(after, before);
  if (isEmptyDiff(diff)) return history;
  const last = history.past.at(-1);
  const joined = key !== undefined && last?.key === key && now - last.at < PAUSE_MS ? join(diff, last.diff) : undefined;
  if (joined) return { past: [...history.past.slice(0, -1), { diff: joined, key, at: now }], future: [] };
  return { past: [...history.past, { diff, key, at: now }].slice(-MAX_ENTRIES), future: [] };
}

/** Joins two diffs that follow each other and change the same fields. */
function join(later: Diff, earlier: Diff): Diff | undefined {
  if (later.lists.length > 0 || earlier.lists.length > 0) return undefined;
  const isSame = (index: number) => {
    const [one, other] = [later.fields[index], earlier.fields[index]];
    return one?.of === other?.of && one?.field === other?.field;
  };
  if (later.fields.length !== earlier.fields.length || !later.fields.every((_, index) => isSame(index)))
    return undefined;
  const fields = later.fields.map((field, index) => ({ ...field, to: earlier.fields[index]?.to }));
  return { fields, lists: [] };
}

interface Moved {
  document: Document;
  history: History;
  /** The part and the field that have changed, so that the editor can show them. */
  at: { of: string; field?: string } | undefined;
}

export function undo(document: Document, { past, future }: History): Moved | undefined {
  const entry = past.at(-1);
  if (!entry) return undefined;
  const { after, back } = step(document, entry);
  return { document: after, history: { past: past.slice(0, -1), future: [...future, back] }, at: placeOf(entry.diff) };
}

export function redo(document: Document, { past, future }: History): Moved | undefined {
  const entry = future.at(-1);
  if (!entry) return undefined;
  const { after, back } = step(document, entry);
  return { document: after, history: { past: [...past, back], future: future.slice(0, -1) }, at: placeOf(entry.diff) };
}

/**
 * The diff for the opposite direction is computed again, because other people may have changed the same parts
 * meanwhile.
 */
function step(document: Document, entry: Entry): { after: Document; back: Entry } {
  const after = applyDiff(document, entry.diff);
  // The time is 0, so that nothing that is typed afterwards joins this entry.
  return { after, back: { diff: diffDocuments(after, document), at: 0 } };
}

function placeOf({ fields, lists }: Diff): Moved['at'] {
  const [field] = fields;
  if (field) return { of: field.of, field: field.field };
  const [list] = lists;
  const part = list?.added[0]?.id ?? list?.to[0];
  return part === undefined ? undefined : { of: part };
}
