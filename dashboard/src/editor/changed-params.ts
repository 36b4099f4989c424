import { partFields } from '@usher/domain/fields';
import { diffDocuments } from './diff.ts';
import { type Document, isEqual, type Part } from './document.ts';

type Fields = Record<string, unknown>;
const known = new Set(Object.values(partFields).flatMap((fields) => Object.keys(fields)));
const partLists = new Set(['steps', 'items', 'buttons']);

/** The params of the request that takes the server from one document to another. Parts have only the fields that differ. */
export function changedParams(from: Document, to: Document): Fields {
  const { fields } = diffDocuments(from, to);
  const params = Object.fromEntries(fields.filter(({ of }) => of === '').map(({ field, to }) => [field, to]));
  const steps = changedList(from.steps, to.steps);
  const items = changedList(from.items ?? [], to.items ?? []);
  return { ...params, ...(steps && { steps }), ...(items && { items }) };
}

/**
 * A list of parts is sent as a whole: the server removes parts that are missing in it, and keeps fields that are left
 * out.
 */
function changedList(from: readonly Part[], to: readonly Part[]): Fields[] | undefined {
  if (from === to || isEqual(from, to)) return undefined;
  const before = new Map(from.map((part) => [part.id, part]));
  return to.map((part) => changedPart(before.get(part.id), part));
}

function changedPart(from: Part | undefined, to: Part): Fields {
  const values: Fields = { id: to.id };
  for (const [field, value] of Object.entries(to)) {
    if (field === 'id' || field === 'position' || partLists.has(field)) continue;
    // A part that was copied from a newer version of the dashboard may have fields that the server does not accept.
    if (!from && !known.has(field)) continue;
    if (!from || !isEqual(Reflect.get(from, field), value)) values[field] = value;
  }
  if (!('buttons' in to)) return values;
  const buttons = changedList(from && 'buttons' in from ? from.buttons : [], to.buttons);
  return buttons ? { ...values, buttons } : values;
}
