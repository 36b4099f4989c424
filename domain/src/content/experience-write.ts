import { addProblem, formatChoices } from '../basics/input.ts';
import { toTimestamp } from '../basics/time.ts';
import { normalizeKey } from '../ingestion/key.ts';
import {
  buildInitialValues,
  buttonFields,
  type Document,
  type ExperienceFields,
  type ExperienceKind,
  fieldsOfKind,
  itemFields,
  MAX_PARTS,
  type PartFields,
  singularParameters,
  stepFields,
} from './experience.ts';

type Part = { id: string; position: number; buttons?: Part[] } & Record<string, unknown>;

interface PartKind {
  name: string;
  fields: Record<string, unknown>;
  start: Record<string, unknown>;
  most: number;
  has?: PartKind;
}
const buttonPart: PartKind = {
  name: 'Button',
  fields: buttonFields,
  start: buildInitialValues(buttonFields),
  most: MAX_PARTS.buttons,
};
const stepPart: PartKind = {
  name: 'Step',
  fields: stepFields,
  start: buildInitialValues(stepFields),
  most: MAX_PARTS.steps,
  has: buttonPart,
};
const itemPart: PartKind = {
  name: 'item',
  fields: itemFields,
  start: buildInitialValues(itemFields),
  most: MAX_PARTS.items,
};
const timeFields = ['published_at', 'published_until', 'archived_at', 'rate_unlimit_at', 'experiment_at'];

/**
 * The document as it is after someone gave these fields. Lists of parts are given whole: a part with the ID of one that is
 * there keeps what is not given, one without is new, and those that are not in the list go.
 */
export function writeDocument(
  kind: ExperienceKind,
  before: Document | undefined,
  input: ExperienceFields,
  newId: () => string,
  problems: string[],
): Document {
  const fields = fieldsOfKind(kind);
  const root: Record<string, unknown> = { kind, ...(before ?? buildInitialValues(fields)) };
  for (const name of Object.keys(fields)) if (input[name] !== undefined) root[name] = toStored(name, input[name]);
  for (const [one, list] of Object.entries(singularParameters)) {
    if (input[one] === undefined) continue;
    if (input[list] !== undefined) addProblem(problems, one, `stands for \`${list}\`: give one of the two`);
    root[list] = input[one] === null ? [] : [input[one]];
  }
  checkStyle(root.style, fields, problems);
  if (input.experiment_range) checkRange(String(input.experiment_range), problems);
  const steps = kind === 'launcher' ? [] : input.steps;
  root.steps = writeParts(stepPart, before?.steps ?? [], steps, 'steps', newId, problems);
  if (kind === 'tooltip' && (root.steps as Part[]).length > 1)
    addProblem(problems, 'steps', 'must be one at most: a tooltip has one step');
  if (kind === 'launcher')
    root.items = writeParts(itemPart, before?.items ?? [], input.items, 'items', newId, problems);
  return root as Document;
}

function toStored(name: string, value: unknown): unknown {
  if (timeFields.includes(name) && typeof value === 'number') return toTimestamp(value);
  if (name === 'goal' && typeof value === 'string') return normalizeKey(value) || null;
  if (name.endsWith('_ids') && Array.isArray(value)) return [...new Set(value)];
  return value;
}

/** Which styles there are depends on the kind, which the schema of the parameters does not know. */
function checkStyle(style: unknown, fields: ReturnType<typeof fieldsOfKind>, problems: string[]): void {
  const styles: unknown[] = (fields.style?.read as { enum?: unknown[] } | undefined)?.enum ?? [style];
  if (!styles.includes(style)) addProblem(problems, 'style', `must be ${formatChoices(styles)}`);
}

function checkRange(range: string, problems: string[]): void {
  const [low = 0, high = 0] = range.split('-').map(Number);
  if (low > high || high > 100)
    addProblem(problems, 'experiment_range', 'must be a range of percents such as `0-50`, the lower one first');
}

function writeParts(
  kind: PartKind,
  before: readonly Part[],
  input: readonly PartFields[] | undefined,
  path: string,
  newId: () => string,
  problems: string[],
): Part[] {
  if (!input) return [...before];
  if (input.length > kind.most) addProblem(problems, path, `holds ${input.length}: ${kind.most} at most`);
  const byId = new Map(before.map((part) => [part.id, part]));
  return input.map((item, position) => {
    const at = `${path}[${position}]`;
    const found = item.id === undefined ? undefined : byId.get(item.id);
    if (item.id !== undefined && !found)
      addProblem(
        problems,
        `${at}.id`,
        `is no ${kind.name} of this Experience, or stands here twice: leave it out for a new one`,
      );
    byId.delete(item.id ?? '');
    return { ...writePart(kind, found, item, at, newId, problems), position };
  });
}

/** One part, with what is given of it. */
function writePart(
  kind: PartKind,
  before: Part | undefined,
  input: PartFields,
  path: string,
  newId: () => string,
  problems: string[],
): Part {
  const part: Part = before ? { ...before } : { id: newId(), position: 0, ...kind.start };
  for (const name of Object.keys(kind.fields)) if (input[name] !== undefined) part[name] = input[name];
  if (kind.has)
    part.buttons = writeParts(kind.has, before?.buttons ?? [], input.buttons, `${path}.buttons`, newId, problems);
  return part;
}

/** A copy under IDs of its own, and which of them each part has now. */
export function duplicateDocument(
  document: Document,
  newId: () => string,
): { document: Document; ids: Map<string, string> } {
  const ids = new Map<string, string>();
  const renew = (part: Part): Part => {
    const id = newId();
    ids.set(part.id, id);
    return { ...part, id, ...(part.buttons && { buttons: part.buttons.map(renew) }) };
  };
  const parts = { steps: document.steps.map(renew), ...(document.items && { items: document.items.map(renew) }) };
  return { document: { ...document, ...parts } as Document, ids };
}

/** Of a whole document that replaces another: the parts with IDs that are there are those, whatever they were before. */
export function replaceDocument(
  before: Document,
  input: ExperienceFields,
  newId: () => string,
  problems: string[],
): Document {
  const { kind, position, published_at, published_until, archived_at } = before;
  const blank = (part: Part, { start, has }: PartKind): Part => ({
    id: part.id,
    position: part.position,
    ...start,
    ...(has && { buttons: (part.buttons ?? []).map((button) => blank(button, has)) }),
  });
  const empty = {
    ...buildInitialValues(fieldsOfKind(kind)),
    ...{ kind, name: before.name, position, published_at, published_until, archived_at },
    steps: before.steps.map((step) => blank(step, stepPart)),
    ...(before.items && { items: before.items.map((item) => blank(item, itemPart)) }),
  } as Document;
  const known = new Set(
    [...empty.steps, ...empty.steps.flatMap(({ buttons }) => buttons), ...(empty.items ?? [])].map(({ id }) => id),
  );
  const parts = {
    ...(input.steps && { steps: dropUnknownIds(input.steps, known) }),
    ...(input.items && { items: dropUnknownIds(input.items, known) }),
  };
  return writeDocument(kind, empty, { steps: [], items: [], ...input, ...parts }, newId, problems);
}

/** The service gives IDs: those of another Experience mean nothing here. */
export function dropUnknownIds(parts: readonly PartFields[], known: ReadonlySet<string> = new Set()): PartFields[] {
  return parts.map(({ id, buttons, ...part }) => ({
    ...part,
    ...(id !== undefined && known.has(id) && { id }),
    ...(buttons && { buttons: dropUnknownIds(buttons, known) }),
  }));
}

/** The same with its keys in the order of their description, also inside lists. */
export function sortFields<D extends Document>(document: D): D {
  const order = (part: Part, { fields, has }: PartKind): Part => ({
    id: part.id,
    position: part.position,
    ...pick(part, fields),
    ...(has && { buttons: (part.buttons ?? []).map((button) => order(button, has)) }),
  });
  return {
    kind: document.kind,
    ...pick(document, fieldsOfKind(document.kind)),
    steps: document.steps.map((step) => order(step, stepPart)),
    ...(document.items && { items: document.items.map((item) => order(item, itemPart)) }),
  } as D;
}

function pick(model: object, fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.keys(fields).map((name) => [name, orderInner(name, (model as Record<string, unknown>)[name])]),
  );
}

const innerKeys: Record<string, readonly string[]> = {
  elements: ['selector', 'text', 'shadow_selector'],
  action_element: ['selector', 'text', 'shadow_selector'],
  quantifier_urls: ['url', 'match_type'],
};

function orderInner(name: string, value: unknown): unknown {
  const keys = innerKeys[name];
  if (!keys || typeof value !== 'object' || value === null) return value;
  const order = (item: Record<string, unknown>) => Object.fromEntries(keys.map((key) => [key, item[key] ?? null]));
  return Array.isArray(value) ? value.map(order) : order(value as Record<string, unknown>);
}

/* One part of a document, by its ID. */

/** Adds a part, at its `position` or at the end. */
export function addPart(input: PartFields, list: readonly { id: string }[]): PartFields[] {
  return insertAt(
    list.map(({ id }) => ({ id })),
    input,
    input.position,
  );
}

/** Changes a part, and moves it when a `position` is given. Null removes it. */
export function changePart(id: string, input: PartFields | null, list: readonly { id: string }[]): PartFields[] {
  const at = list.findIndex((part) => part.id === id);
  const others = list.filter((part) => part.id !== id).map((part): PartFields => ({ id: part.id }));
  return input ? insertAt(others, { ...input, id }, input.position ?? at) : others;
}

function insertAt(list: PartFields[], part: PartFields, position = list.length): PartFields[] {
  return [...list.slice(0, position), part, ...list.slice(position)];
}
