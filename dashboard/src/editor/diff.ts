import { type Document, isEqual, type Part, partsById } from './document.ts';
import { mergeOrder } from './merge-order.ts';

/** A changed field. `of` is `''` for the Experience itself, or the ID of a part. */
interface FieldChange {
  of: string;
  field: string;
  from: unknown;
  to: unknown;
}

/** A changed list. It is `steps`, `items`, or the ID of the step whose buttons they are. */
interface ListChange {
  list: string;
  from: readonly string[];
  to: readonly string[];
  added: readonly Part[];
}

/**
 * The changes that turn one document into another. They name parts by their IDs and not by their places, so they can be
 * applied after other people have moved the parts.
 */
export interface Diff {
  fields: FieldChange[];
  lists: ListChange[];
}

const lists = new Set(['steps', 'items', 'buttons']);

export function diffDocuments(from: Document, to: Document): Diff {
  const diff: Diff = { fields: [], lists: [] };
  if (from === to) return diff;
  diffFields('', from, to, diff, true);
  diffList('steps', from.steps, to.steps, diff);
  diffList('items', from.items ?? [], to.items ?? [], diff);
  return diff;
}

/** Compares fields. `position` counts only for the Experience itself: the place of a part follows from its list. */
function diffFields(of: string, from: object, to: object, { fields }: Diff, isRoot = false): void {
  for (const [field, value] of Object.entries(to)) {
    if (lists.has(field) || field === 'id' || (field === 'position' && !isRoot) || (isRoot && field === 'kind'))
      continue;
    const before: unknown = Reflect.get(from, field);
    if (!isEqual(before, value)) fields.push({ of, field, from: before, to: value });
  }
}

function diffList(list: string, from: readonly Part[], to: readonly Part[], diff: Diff): void {
  if (from === to) return;
  const before = new Map(from.map((part) => [part.id, part]));
  const [fromIds, toIds] = [from.map(({ id }) => id), to.map(({ id }) => id)];
  if (!isEqual(fromIds, toIds))
    diff.lists.push({ list, from: fromIds, to: toIds, added: to.filter(({ id }) => !before.has(id)) });
  for (const part of to) {
    const old = before.get(part.id);
    if (!old || old === part) continue;
    diffFields(part.id, old, part, diff);
    if ('buttons' in part && 'buttons' in old) diffList(part.id, old.buttons, part.buttons, diff);
  }
}

export function isEmptyDiff({ fields, lists }: Diff): boolean {
  return fields.length === 0 && lists.length === 0;
}

/** Applies a diff to a document, which may have changed since. Changes of parts that are gone are skipped. */
export function applyDiff(document: Document, { fields, lists }: Diff): Document {
  const copy = structuredClone(document);
  for (const change of lists) applyList(copy, change);
  const parts = partsById(copy);
  for (const { of, field, to } of fields) {
    const owner = of === '' ? copy : parts.get(of);
    if (owner) Reflect.set(owner, field, to);
  }
  return numberParts(reuse(document, copy));
}

function applyList(document: Document, { list, from, to, added }: ListChange): void {
  const found = findList(document, list);
  if (!found) return;
  const parts = new Map([...added, ...found].map((part) => [part.id, part]));
  const order = mergeOrder(
    from,
    to,
    found.map(({ id }) => id),
  );
  const kept = order.flatMap((id) => parts.get(id) ?? []);
  found.splice(0, found.length, ...structuredClone(kept));
}

function findList(document: Document, list: string): Part[] | undefined {
  if (list === 'steps') return document.steps;
  if (list === 'items') return document.items;
  return document.steps.find(({ id }) => id === list)?.buttons;
}

/** Sets the `position` of each part, which follows from the order of its list. */
export function numberParts(document: Document): Document {
  const number = <P extends Part>(parts: P[]): P[] => {
    let isSame = true;
    const numbered = parts.map((part, position) => {
      const buttons = 'buttons' in part ? number(part.buttons) : undefined;
      if (part.position === position && (!('buttons' in part) || buttons === part.buttons)) return part;
      isSame = false;
      return { ...part, position, ...(buttons && { buttons }) };
    });
    return isSame ? parts : numbered;
  };
  const steps = number(document.steps);
  const items = document.items && number(document.items);
  if (steps === document.steps && items === document.items) return document;
  return { ...document, steps, ...(items && { items }) };
}

/** Keeps the parts that are equal as they were, so that only what changed is rendered and compared again. */
export function reuse(before: Document, after: Document): Document {
  const known = partsById(before);
  const keep = <P extends Part>(part: P): P => {
    const old = known.get(part.id);
    return old && isEqual(old, part) ? (old as P) : part;
  };
  const steps = after.steps.map((step) => keep({ ...step, buttons: step.buttons.map(keep) }));
  return { ...after, steps, ...(after.items && { items: after.items.map(keep) }) };
}
