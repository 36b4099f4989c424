import { isWritten } from '@usher/domain/kinds';
import { numberParts, reuse } from './diff.ts';
import { type Document, isEqual, type Part, partsById } from './document.ts';
import { mergeOrder, movedByBoth } from './merge-order.ts';

/** A field that two people have changed in different ways. The field `position` is the place of a part in its list. */
export interface Clash {
  /** `''` is the Experience itself, everything else the ID of a part. */
  of: string;
  field: string;
  mine: unknown;
  theirs: unknown;
}

export interface Merged {
  /** The merged document. Where fields clash, it has my values. */
  document: Document;
  clashes: Clash[];
}

type Fields = Record<string, unknown>;
const partLists = new Set(['steps', 'items', 'buttons']);

/**
 * Merges two documents that have a common origin, field by field, and parts by their ID. Different fields never clash.
 * A part that one side has removed and the other has changed stays, because its new text would be lost otherwise.
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
    // The place of a part follows from the order of its list.
    if (partLists.has(field) || (of !== '' && field === 'position')) continue;
    const [from, my, their] = [base, mine, theirs].map((side): unknown => Reflect.get(side, field));
    const isChoice = wholeFields.has(field) && !isEqual(my, from) && !isEqual(their, from) && !isEqual(my, their);
    merged[field] = isChoice ? my : mergeValue(from, my, their);
    if (isChoice || isClash(field, from, my, their)) clashes.push({ of, field, mine: my, theirs: their });
  }
  return merged;
}

export function isTextClash({ field, mine, theirs }: Clash): boolean {
  return isWritten(field) && typeof mine === 'string' && typeof theirs === 'string';
}

/** Values whose parts have no ID and belong together: of two changed values, the person chooses one. */
const wholeFields = new Set(['variations', 'trigger_event']);
/** Fields that are set by other requests than those of the editor, such as a request that publishes. */
const stateFields = new Set(['published_at', 'archived_at', 'position', 'default']);
/** Fields with a time that work as switches: a time means on, and null means off. */
const switchedFields = new Set(['rate_unlimit_at', 'experiment_at']);

function isClash(field: string, base: unknown, mine: unknown, theirs: unknown): boolean {
  if (stateFields.has(field)) return false;
  // If one side has emptied a text, the other side's text stays.
  if (isWritten(field) && (typeof mine !== 'string' || typeof theirs !== 'string')) return false;
  if (switchedFields.has(field) && (mine === null) === (theirs === null)) return false;
  return cannotMerge(base, mine, theirs);
}

/**
 * Whether both sides have changed the value in different ways. Lists can be merged, because the result holds what
 * either side added.
 */
function cannotMerge(base: unknown, mine: unknown, theirs: unknown): boolean {
  if (isEqual(mine, base) || isEqual(theirs, base) || isEqual(mine, theirs)) return false;
  if (Array.isArray(mine) && Array.isArray(theirs)) return false;
  if (!isRecord(mine) || !isRecord(theirs)) return true;
  const from = isRecord(base) ? base : {};
  return Object.keys({ ...mine, ...theirs }).some((name) => cannotMerge(from[name], mine[name], theirs[name]));
}

function mergeValue(base: unknown, mine: unknown, theirs: unknown): unknown {
  if (isEqual(mine, base)) return theirs;
  if (isEqual(theirs, base) || isEqual(mine, theirs)) return mine;
  if (Array.isArray(mine) && Array.isArray(theirs)) return mergeLists(Array.isArray(base) ? base : [], mine, theirs);
  if (isRecord(mine) && isRecord(theirs)) return mergeRecords(isRecord(base) ? base : {}, mine, theirs);
  // One side has emptied a text and the other has changed it, so the changed text stays.
  if (typeof base === 'string' && (typeof mine === 'string' || typeof theirs === 'string')) return mine ?? theirs;
  return mine;
}

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function mergeRecords(base: Fields, mine: Fields, theirs: Fields): Fields {
  return Object.fromEntries(
    Object.keys({ ...theirs, ...mine }).map((name) => [name, mergeValue(base[name], mine[name], theirs[name])]),
  );
}

/** Merges lists of values, such as the answers of a question. Values with an ID are the same while they have it. */
function mergeLists(base: readonly unknown[], mine: readonly unknown[], theirs: readonly unknown[]): unknown[] {
  if ([...base, ...mine, ...theirs].every(hasId)) return mergeById(base as Entry[], mine as Entry[], theirs as Entry[]);
  const keys = (list: readonly unknown[]) => [...new Set(list.map((value) => JSON.stringify(value)))];
  return mergeOrder(keys(base), keys(mine), keys(theirs)).map((key) => JSON.parse(key));
}

type Entry = Fields & { id: string };

function hasId(value: unknown): value is Entry {
  return isRecord(value) && typeof value.id === 'string';
}

function mergeById(base: readonly Entry[], mine: readonly Entry[], theirs: readonly Entry[]): Entry[] {
  const [from, my, their] = [base, mine, theirs].map((list) => new Map(list.map((one) => [one.id, one])));
  const ids = (list: readonly Entry[]) => list.map(({ id }) => id);
  return mergeOrder(ids(base), ids(mine), ids(theirs)).flatMap((id) => {
    const [one, other] = [my?.get(id), their?.get(id)];
    return one && other ? (mergeRecords(from?.get(id) ?? {}, one, other) as Entry) : (one ?? other ?? []);
  });
}

function mergeParts<P extends Part>(
  base: readonly P[],
  mine: readonly P[],
  theirs: readonly P[],
  clashes: Clash[],
): P[] {
  const byId = (parts: readonly P[]) => new Map(parts.map((part) => [part.id, part]));
  const [inBase, inMine, inTheirs] = [byId(base), byId(mine), byId(theirs)];
  /** Whether one side has removed the part and the other has changed it. */
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
  clashes.push(...findOrderClashes(base, mine, theirs));
  return order.flatMap((id) => {
    const [from, my, their] = [inBase.get(id), inMine.get(id), inTheirs.get(id)];
    if (!my || !their) return my ?? their ?? [];
    const fields = mergeFields(id, from ?? {}, my, their, clashes);
    const buttons =
      'buttons' in my && 'buttons' in their
        ? { buttons: mergeParts(from && 'buttons' in from ? from.buttons : [], my.buttons, their.buttons, clashes) }
        : {};
    return { ...their, ...fields, ...buttons };
  });
}

/** Puts an item back to its place: after the nearest previous item that is still there. */
function insertLike(list: readonly string[], id: string, order: readonly string[]): string[] {
  const before = order.slice(0, order.indexOf(id)).findLast((other) => list.includes(other));
  const index = before === undefined ? 0 : list.indexOf(before) + 1;
  return [...list.slice(0, index), id, ...list.slice(index)];
}

function isSamePart(one: Part, other: Part): boolean {
  return isEqual({ ...one, position: 0 }, { ...other, position: 0 });
}

/** Parts that both sides have moved to different places. */
function findOrderClashes(base: readonly Part[], mine: readonly Part[], theirs: readonly Part[]): Clash[] {
  const ids = [base, mine, theirs].map((parts) => parts.map(({ id }) => id)) as [string[], string[], string[]];
  return movedByBoth(...ids).map((of) => ({
    of,
    field: 'position',
    mine: ids[1].indexOf(of),
    theirs: ids[2].indexOf(of),
  }));
}

/**
 * The document as it can be saved while fields clash: it has the values of the other person, so that saving overwrites
 * nothing.
 */
export function withTheirs(document: Document, clashes: readonly Clash[]): Document {
  return setValues(
    document,
    clashes.map(({ of, field, theirs }) => ({ of, field, value: theirs })),
  );
}

interface FieldValue {
  of: string;
  field: string;
  value: unknown;
}

/** The document with these values. */
export function setValues(document: Document, values: readonly FieldValue[]): Document {
  if (values.length === 0) return document;
  const change = <P extends object>(of: string, part: P): P => {
    const own = values.filter((value) => value.of === of && (of === '' || value.field !== 'position'));
    return own.length === 0 ? part : { ...part, ...Object.fromEntries(own.map(({ field, value }) => [field, value])) };
  };
  const places = values.filter(({ of, field }) => of !== '' && field === 'position');
  const order = <P extends Part>(parts: readonly P[]) => placeParts(parts, places);
  const steps = order(document.steps).map((step) =>
    change(step.id, { ...step, buttons: order(step.buttons).map((button) => change(button.id, button)) }),
  );
  const items = document.items && order(document.items).map((item) => change(item.id, item));
  return numberParts({ ...change('', document), steps, ...(items && { items }) });
}

/** Moves parts to their places, the first place first. */
function placeParts<P extends Part>(parts: readonly P[], places: readonly FieldValue[]): P[] {
  const result = [...parts];
  for (const { of, value } of [...places].sort((one, other) => Number(one.value) - Number(other.value))) {
    const from = result.findIndex(({ id }) => id === of);
    if (from < 0) continue;
    const [part] = result.splice(from, 1);
    result.splice(Math.min(Number(value), result.length), 0, part as P);
  }
  return result;
}

/**
 * The clashes that still exist, with the current values of the document. The person may have continued to type, or
 * removed the part.
 */
export function refreshClashes<C extends Clash>(document: Document, clashes: readonly C[]): readonly C[] {
  if (clashes.length === 0) return clashes;
  const parts = partsById(document);
  return clashes.flatMap((clash) => {
    const owner = clash.of === '' ? document : parts.get(clash.of);
    const mine: unknown = owner && Reflect.get(owner, clash.field);
    if (!owner || isEqual(mine, clash.theirs)) return [];
    return isEqual(mine, clash.mine) ? clash : { ...clash, mine };
  });
}
