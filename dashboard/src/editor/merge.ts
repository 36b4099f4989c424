import { numberParts, reuse } from './diff.ts';
import { type Document, isEqual, type Part } from './document.ts';
import { mergeOrder } from './merge-order.ts';

/** A text that two people have changed in different ways. */
export interface Clash {
  /** `''` is the Experience itself, everything else the ID of a part. */
  of: string;
  field: string;
  mine: string;
  theirs: string;
}

export interface Merged {
  /** Where texts clash, it has mine. */
  document: Document;
  clashes: Clash[];
}

type Fields = Record<string, unknown>;
const partLists = new Set(['steps', 'items', 'buttons']);

/**
 * Merges two documents that have a common origin, field by field, and parts by their ID. Different fields never clash. A part that one
 * side removed and the other changed stays, because what was written there would be lost.
 */
export function mergeDocuments(base: Document, mine: Document, theirs: Document): Merged {
  const clashes: Clash[] = [];
  const fields = mergeFields('', base, mine, theirs, clashes);
  const steps = mergeParts(base.steps, mine.steps, theirs.steps, clashes);
  const items = theirs.items && mergeParts(base.items ?? [], mine.items ?? [], theirs.items, clashes);
  const document = { ...theirs, ...fields, steps, ...(items && { items }) } as Document;
  return { document: numberParts(reuse(mine, document)), clashes };
}

function mergeFields(of: string, base: object, mine: object, theirs: object, clashes: Clash[]): Fields {
  const merged: Fields = {};
  for (const field of Object.keys({ ...theirs, ...mine })) {
    if (partLists.has(field)) continue;
    const [from, my, their] = [base, mine, theirs].map((side) => (side as Fields)[field]);
    merged[field] = mergeValue(from, my, their);
    if (isClash(field, from, my, their)) clashes.push({ of, field, mine: my as string, theirs: their as string });
  }
  return merged;
}

/** What people write. All other fields are chosen: if both sides have chosen, mine is taken without a question. */
const textFields = new Set(
  (
    'name title body description dismiss_text label_low label_high placeholder other_text trigger_text empty_state_content ' +
    'text action_url action_property action_value action_tag action_script custom_trigger url trigger goal'
  ).split(' '),
);

/** Texts that nobody can merge. If one side has emptied it, the other side's text stays. */
function isClash(field: string, base: unknown, mine: unknown, theirs: unknown): boolean {
  if (!textFields.has(field)) return false;
  if (typeof mine !== 'string' || typeof theirs !== 'string') return false;
  return mine !== theirs && mine !== base && theirs !== base;
}

function mergeValue(base: unknown, mine: unknown, theirs: unknown): unknown {
  if (isEqual(mine, base)) return theirs;
  if (isEqual(theirs, base) || isEqual(mine, theirs)) return mine;
  if (Array.isArray(mine) && Array.isArray(theirs)) return mergeLists(Array.isArray(base) ? base : [], mine, theirs);
  if (isRecord(mine) && isRecord(theirs)) return mergeRecords(isRecord(base) ? base : {}, mine, theirs);
  // What one side emptied and the other side wrote is a text: it stays.
  return mine ?? theirs;
}

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function mergeRecords(base: Fields, mine: Fields, theirs: Fields): Fields {
  return Object.fromEntries(
    Object.keys({ ...theirs, ...mine }).map((name) => [name, mergeValue(base[name], mine[name], theirs[name])]),
  );
}

/** Lists of values without an ID, such as the answers of a question. */
function mergeLists(base: readonly unknown[], mine: readonly unknown[], theirs: readonly unknown[]): unknown[] {
  const keys = (list: readonly unknown[]) => [...new Set(list.map((value) => JSON.stringify(value)))];
  return mergeOrder(keys(base), keys(mine), keys(theirs)).map((key) => JSON.parse(key));
}

function mergeParts<P extends Part>(
  base: readonly P[],
  mine: readonly P[],
  theirs: readonly P[],
  clashes: Clash[],
): P[] {
  const byId = (parts: readonly P[]) => new Map(parts.map((part) => [part.id, part]));
  const [inBase, inMine, inTheirs] = [byId(base), byId(mine), byId(theirs)];
  /** Removed by one side only, and changed by the other. */
  const isRescued = (id: string, kept: Map<string, P>, other: Map<string, P>) =>
    inBase.has(id) && kept.has(id) && !other.has(id) && !isSamePart(inBase.get(id) as P, kept.get(id) as P);
  const idsOf = (parts: readonly P[], kept: Map<string, P>, other: Map<string, P>) => {
    const ids = parts.map(({ id }) => id);
    const rescued = base.map(({ id }) => id).filter((id) => isRescued(id, other, kept));
    return rescued.reduce(
      (all, id) =>
        insertLike(
          all,
          id,
          base.map((part) => part.id),
        ),
      ids,
    );
  };
  const order = mergeOrder(
    base.map(({ id }) => id),
    idsOf(mine, inMine, inTheirs),
    idsOf(theirs, inTheirs, inMine),
  );
  return order.flatMap((id) => {
    const [from, my, their] = [inBase.get(id), inMine.get(id), inTheirs.get(id)];
    if (!my || !their) return my ?? their ?? [];
    const fields = mergeFields(id, from ?? {}, my, their, clashes);
    const buttons =
      'buttons' in my && 'buttons' in their
        ? { buttons: mergeParts(from && 'buttons' in from ? from.buttons : [], my.buttons, their.buttons, clashes) }
        : {};
    return { ...their, ...fields, ...buttons } as P;
  });
}

/** Puts an item back where it was, after the nearest one before it that is still there. */
function insertLike(list: readonly string[], id: string, order: readonly string[]): string[] {
  const before = order.slice(0, order.indexOf(id)).findLast((other) => list.includes(other));
  const index = before === undefined ? 0 : list.indexOf(before) + 1;
  return [...list.slice(0, index), id, ...list.slice(index)];
}

function isSamePart(one: Part, other: Part): boolean {
  return isEqual({ ...one, position: 0 }, { ...other, position: 0 });
}

/** The document as it can be saved while texts clash: it has theirs, so that saving loses nothing. */
export function withTheirs(document: Document, clashes: readonly Clash[]): Document {
  return setTexts(
    document,
    clashes.map(({ of, field, theirs }) => ({ of, field, value: theirs })),
  );
}

/** The document with these texts. */
export function setTexts(document: Document, texts: readonly { of: string; field: string; value: string }[]): Document {
  if (texts.length === 0) return document;
  const change = <P extends object>(of: string, part: P): P => {
    const own = texts.filter((text) => text.of === of);
    return own.length === 0 ? part : { ...part, ...Object.fromEntries(own.map(({ field, value }) => [field, value])) };
  };
  const steps = document.steps.map((step) =>
    change(step.id, { ...step, buttons: step.buttons.map((button) => change(button.id, button)) }),
  );
  const items = document.items?.map((item) => change(item.id, item));
  return { ...change('', document), steps, ...(items && { items }) };
}
