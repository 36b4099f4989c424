import { addProblem, formatChoices } from '../basics/input.ts';
import { toTimestamp } from '../basics/time.ts';
import { initialValues, withArticle } from '../fields/derive.ts';
import type { Fields, FieldType } from '../fields/field.ts';
import { importedElementKeys } from '../fields/imported-element.ts';
import { MAX_PARTS, type PartList, partFields } from '../fields/part-fields.ts';
import { readHost } from '../hosts/host.ts';
import { type ExperienceKind, fieldsOfKind, kinds } from '../kinds/kinds.ts';
import { listForeignProblems } from '../targeting/segment.ts';
import { completeField } from './complete-field.ts';
import { listDocumentFilters } from './document-filters.ts';
import type { Document, Step } from './experience.ts';
import { type ExperienceFields, type PartFields, singularParameters } from './experience-parameters.ts';
import { checkForeignWords } from './foreign-words.ts';
import { dropGoalIds, isOneEvent, listGoals, writeGoals } from './goals-write.ts';
import { importedStepFields, mapImportedElements } from './import-step.ts';
import { toStoredField } from './question-write.ts';
import { mapStepReferences, resolvePlaces, toPlaces } from './step-references.ts';

type PartRecord = { id: string; position: number; buttons?: PartRecord[] } & Record<string, unknown>;

interface PartKind {
  name: string;
  fields: Fields;
  initial: Record<string, unknown>;
  max: number;
  /** The kind of the buttons in it. */
  buttons?: PartKind;
  /** Sets the fields that follow from the fields that were given. */
  complete?: (part: PartRecord, input: PartFields) => void;
}
const partKind = (name: string, list: PartList): PartKind => ({
  ...{ name, fields: partFields[list], initial: initialValues(partFields[list]), max: MAX_PARTS[list] },
});
const stepPart = { ...partKind('Step', 'steps'), buttons: partKind('Button', 'buttons'), complete: placeImported };
const itemPart = partKind('item', 'items');
const partKinds = { steps: stepPart, items: itemPart };

/**
 * The document after a request with these fields. A list of parts replaces the whole list: a part with the ID of an existing
 * part keeps the fields that are left out, a part without an ID is new, and existing parts that are not in the list are
 * removed.
 */
export function writeDocument(
  kind: ExperienceKind,
  before: Document | undefined,
  input: ExperienceFields,
  newId: () => string,
  problems: string[],
  { acceptsIds = false, acceptsForeign = false }: { acceptsIds?: boolean; acceptsForeign?: boolean } = {},
): Document {
  const fields = fieldsOfKind(kind);
  const ids = acceptsIds ? new FreeIds(before) : undefined;
  const root: Record<string, unknown> = { kind, ...(before ?? initialValues(fields)) };
  for (const name of Object.keys(fields))
    if (input[name] !== undefined && name !== 'goals' && name !== 'goal')
      root[name] = toStoredValue(name, fields[name]?.type, input[name], problems);
  for (const [one, list] of Object.entries(singularParameters)) {
    const [wanted, wantedList, had] = [input[one], input[list], (before?.[list] ?? []) as string[]];
    if (wanted === undefined) continue;
    // Clients send back a whole record in which they have changed one of the two.
    const isListSame = wantedList !== undefined && String(wantedList) === String(had);
    const isOneSame = wanted === (had[0] ?? null);
    if (wantedList !== undefined && (isOneSame || wanted === ((wantedList as string[])[0] ?? null))) continue;
    if (wantedList !== undefined && !isListSame)
      addProblem(problems, one, `stands for \`${list}\`: give one of the two`);
    root[list] = wanted === null ? [] : [wanted];
  }
  checkStyle(root.style, fields, problems);
  if (input.experiment_range) checkRange(String(input.experiment_range), problems);
  const { parts, maxParts } = kinds[kind];
  root.steps = [];
  root[parts] = writeParts(partKinds[parts], before?.[parts] ?? [], input[parts], parts, newId, problems, ids);
  if (input.steps) root.steps = resolvePlaces(root.steps as PartRecord[]);
  Object.assign(root, writeGoals(root, input, newId, problems, acceptsIds));
  if (maxParts === 1 && (root[parts] as PartRecord[]).length > 1)
    addProblem(
      problems,
      parts,
      `must be one at most: ${withArticle(kind)} has one ${partKinds[parts].name.toLowerCase()}`,
    );
  if (!acceptsForeign) {
    checkForeignWords(before, root as Document, problems);
    checkForeignFilters(before, root as Document, problems);
  }
  return root as Document;
}

/** Rejects filters of other services in conditions, except filters that the document has already. */
function checkForeignFilters(before: Document | undefined, after: Document, problems: string[]): void {
  const known = before ? listDocumentFilters(before).flatMap(({ filters }) => filters) : [];
  for (const { filters, path } of listDocumentFilters(after))
    problems.push(...listForeignProblems(filters, known, path));
}

function toStoredValue(name: string, type: FieldType | undefined, value: unknown, problems: string[]): unknown {
  if (type === 'time' && typeof value === 'number') return toTimestamp(value);
  if (type === 'ids' && Array.isArray(value)) return [...new Set(value)];
  if (type === 'hosts' && Array.isArray(value)) return readHosts(name, value, problems);
  return value;
}

/** The hosts as pages have them: lower case, in punycode. */
function readHosts(name: string, values: readonly unknown[], problems: string[]): string[] {
  const hosts = values.flatMap((value, index) => {
    const read = readHost(String(value).trim());
    if ('host' in read) return read.host;
    addProblem(problems, `${name}[${index}]`, read.problem);
    return [];
  });
  return [...new Set(hosts)];
}

/** The styles depend on the kind, which the schema of the parameters does not know. */
function checkStyle(style: unknown, fields: ReturnType<typeof fieldsOfKind>, problems: string[]): void {
  const styles: readonly unknown[] = fields.style?.words ?? [style];
  if (!styles.includes(style)) addProblem(problems, 'style', `must be ${formatChoices(styles)}`);
}

function checkRange(range: string, problems: string[]): void {
  const [low = 0, high = 0] = range.split('-').map(Number);
  if (low > high || high > 100)
    addProblem(problems, 'experiment_range', 'must be a range of percents such as `0-50`, the lower one first');
}

/** New parts may bring IDs that no part of the document has yet. */
class FreeIds {
  readonly #taken: Set<string>;

  constructor({ steps = [], items = [] }: Partial<Document> = {}) {
    this.#taken = new Set([...steps, ...steps.flatMap(({ buttons }) => buttons), ...items].map(({ id }) => id));
  }

  /** Returns whether the ID was free, and reserves it. */
  take(id: string): boolean {
    if (this.#taken.has(id)) return false;
    this.#taken.add(id);
    return true;
  }
}

function writeParts(
  kind: PartKind,
  before: readonly PartRecord[],
  input: readonly PartFields[] | undefined,
  path: string,
  newId: () => string,
  problems: string[],
  ids: FreeIds | undefined,
): PartRecord[] {
  if (!input) return [...before];
  if (input.length > kind.max) addProblem(problems, path, `holds ${input.length}: ${kind.max} at most`);
  const byId = new Map(before.map((part) => [part.id, part]));
  return input.map((item, position) => {
    const at = `${path}[${position}]`;
    const found = item.id === undefined ? undefined : byId.get(item.id);
    if (item.id !== undefined && !found && !ids?.take(item.id))
      addProblem(
        problems,
        `${at}.id`,
        `is no ${kind.name} of this Experience, or stands here twice: leave it out for a new one`,
      );
    byId.delete(item.id ?? '');
    return { ...writePart(kind, found, item, at, newId, problems, ids), position };
  });
}

function writePart(
  kind: PartKind,
  before: PartRecord | undefined,
  input: PartFields,
  path: string,
  newId: () => string,
  problems: string[],
  ids: FreeIds | undefined,
): PartRecord {
  const part: PartRecord = before ? { ...before } : { id: (ids && input.id) ?? newId(), position: 0, ...kind.initial };
  for (const [name, field] of Object.entries(kind.fields))
    if (input[name] !== undefined) part[name] = toStoredField(field, input[name], `${path}.${name}`, problems);
  kind.complete?.(part, input);
  if (kind.buttons)
    part.buttons = writeParts(
      kind.buttons,
      before?.buttons ?? [],
      input.buttons,
      `${path}.buttons`,
      newId,
      problems,
      ids,
    );
  return part;
}

/** A step with imported elements gets its own elements from them, unless these are given too. */
function placeImported(step: PartRecord, input: PartFields): void {
  if (input.elements !== undefined || !importedStepFields.some((name) => input[name])) return;
  step.elements = mapImportedElements(step as Partial<Step>) ?? step.elements;
}

/** A copy with new IDs, and the new ID of each part by its old one. */
export function duplicateDocument(
  document: Document,
  newId: () => string,
): { document: Document; ids: Map<string, string> } {
  const ids = new Map<string, string>();
  const copyPart = (part: PartRecord): PartRecord => {
    const id = newId();
    ids.set(part.id, id);
    return { ...part, id, ...(part.buttons && { buttons: part.buttons.map(copyPart) }) };
  };
  const steps = document.steps.map(copyPart).map((step) => mapStepReferences(step, (id) => ids.get(id)));
  const parts = { steps, ...(document.items && { items: document.items.map(copyPart) }) };
  return { document: { ...document, ...parts } as Document, ids };
}

/** Replaces a whole document. A part with the ID of an existing part keeps this ID, but none of its old values. */
export function replaceDocument(
  before: Document,
  input: ExperienceFields,
  newId: () => string,
  problems: string[],
): Document {
  const { kind, position, published_at, published_until, archived_at } = before;
  const blank = (part: PartRecord, { initial, buttons }: PartKind): PartRecord => ({
    id: part.id,
    position: part.position,
    ...initial,
    ...(buttons && { buttons: (part.buttons ?? []).map((button) => blank(button, buttons)) }),
  });
  const empty = {
    ...initialValues(fieldsOfKind(kind)),
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
  // Without `goals`, the document of a client that does not know them has all goals in `goal`.
  const hasGoals = Array.isArray(input.goals) && (input.goals.length > 0 || !input.goal);
  const ownGoals = hasGoals || isOneEvent(before) ? listGoals(before) : [];
  Object.assign(empty, { goals: ownGoals, goal: ownGoals.length > 0 ? before.goal : null });
  const goals = hasGoals
    ? { goals: dropGoalIds(input.goals, ownGoals), goal: input.goal ?? undefined }
    : { goals: undefined, goal: input.goal ?? null };
  const all = { steps: [], items: [], ...input, ...parts, ...goals };
  return writeDocument(kind, empty, all, newId, problems, { acceptsForeign: true });
}

/** Removes the IDs of parts of other Experiences: these parts get new IDs. */
export function dropUnknownIds(parts: readonly PartFields[], known: ReadonlySet<string> = new Set()): PartFields[] {
  return toPlaces(parts, (id) => !known.has(id)).map(({ id, buttons, ...part }) => ({
    ...part,
    ...(id !== undefined && known.has(id) && { id }),
    ...(buttons && { buttons: dropUnknownIds(buttons, known) }),
  }));
}

/** The document with its keys in the order of the field definitions, also inside lists. */
export function sortFields<D extends Document>(document: D): D {
  const order = (part: PartRecord, { fields, buttons }: PartKind): PartRecord => ({
    id: part.id,
    position: part.position,
    ...pick(part, fields),
    ...(buttons && { buttons: (part.buttons ?? []).map((button) => order(button, buttons)) }),
  });
  return {
    kind: document.kind,
    ...pick({ ...document, goals: listGoals(document) }, fieldsOfKind(document.kind)),
    steps: document.steps.map((step) => order(step, stepPart)),
    ...(document.items && { items: document.items.map((item) => order(item, itemPart)) }),
  } as D;
}

function pick(model: object, fields: Fields): Record<string, unknown> {
  return Object.fromEntries(
    // A document from before a field existed does not have it.
    Object.entries(fields).map(([name, { type, initial }]) => [
      name,
      sortInner(type, (model as Record<string, unknown>)[name] ?? initial),
    ]),
  );
}

const elementKeys = ['selector', 'text', 'shadow_selector'];
const innerKeys: Partial<Record<FieldType, readonly string[]>> = {
  ...{ elements: elementKeys, element: elementKeys, urls: ['url', 'match_type'] },
};

function sortInner(type: FieldType, value: unknown): unknown {
  const keys = innerKeys[type];
  if (!keys || typeof value !== 'object' || value === null) return completeField(type, value);
  const order = (item: Record<string, unknown>) =>
    Object.fromEntries([
      ...keys.map((key) => [key, item[key] ?? null]),
      ...importedElementKeys.flatMap((key) => (item[key] === undefined ? [] : [[key, item[key]]])),
    ]);
  return Array.isArray(value) ? value.map(order) : order(value as Record<string, unknown>);
}

/** Adds a part to a list of parts, at its `position` or at the end. */
export function addPart(input: PartFields, list: readonly { id: string }[]): PartFields[] {
  return insertAt(
    list.map(({ id }) => ({ id })),
    input,
    input.position,
  );
}

/** Changes a part in a list of parts, and moves it when there is a `position`. Null removes it. */
export function changePart(id: string, input: PartFields | null, list: readonly { id: string }[]): PartFields[] {
  const at = list.findIndex((part) => part.id === id);
  const others = list.filter((part) => part.id !== id).map((part): PartFields => ({ id: part.id }));
  return input ? insertAt(others, { ...input, id }, input.position ?? at) : others;
}

function insertAt(list: PartFields[], part: PartFields, position = list.length): PartFields[] {
  return [...list.slice(0, position), part, ...list.slice(position)];
}
