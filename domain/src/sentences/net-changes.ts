import { isEqual } from '../changes/diff.ts';
import { type Place, parsePath } from './place.ts';

/** A Change as far as sentences need it. */
export interface RecordedChange {
  model_id: string;
  path: string;
  kind: string;
  object: Record<string, unknown>;
  created_at: string;
}

interface SummaryPart {
  model_id: string;
  path: string;
  kind: 'create' | 'update' | 'destroy';
  object: { name: string; value?: unknown } | null;
}
/** A summary of changes as far as sentences need it. */
export type SummarizedChanges = SummaryPart & { changes: readonly SummaryPart[] };
export type Pair = readonly [before: unknown, after: unknown];

/** The sum of several changes of one part. */
export interface NetChange {
  op: 'create' | 'update' | 'destroy' | 'move';
  modelId: string;
  place: Place;
  fields: Record<string, Pair>;
  /** When it was changed last, if that is known. */
  at?: number;
}

type Working = NetChange & { paths: Set<string> };

/** Sums up Changes that come newest first. A change that was undone in between is left out. */
export function netChanges(changes: readonly RecordedChange[]): NetChange[] {
  const parts = new Map<string, Working>();
  for (const change of changes.toReversed()) {
    const place = parsePath(change.path);
    const key = `${change.model_id} ${place.language ?? ''} ${place.related?.id ?? ''}`;
    const next: Working = {
      ...{ op: opOf(change), modelId: change.model_id, place, fields: pairsOf(change) },
      ...{ at: Date.parse(change.created_at), paths: new Set([change.path]) },
    };
    const known = parts.get(key);
    const merged = known ? merge(known, next) : next;
    if (merged) parts.set(key, merged);
    else parts.delete(key);
  }
  return withoutPartsOfNew([...parts.values()].map(withoutSame).filter(isChange));
}

/**
 * Merges two changes of one part. A button that moves to another step is created there and destroyed here, in this
 * order and at the same time.
 */
function merge(known: Working, next: Working): Working | undefined {
  const paths = new Set([...known.paths, ...next.paths]);
  if (known.op === 'create' && next.op === 'destroy') {
    const isMove = known.place.step !== next.place.step && next.at === known.at;
    return isMove ? { ...known, op: 'move', paths } : undefined;
  }
  const fields = { ...known.fields };
  for (const [name, [before, after]] of Object.entries(next.fields))
    fields[name] = [name in fields ? fields[name]?.[0] : before, after];
  const op = known.op === 'destroy' && next.op === 'create' ? 'update' : known.op === 'update' ? next.op : known.op;
  // A part keeps its number from before the changes; a new part has its last number.
  return { ...next, place: op === 'create' ? next.place : known.place, op, fields, paths };
}

function withoutSame(change: Working): Working {
  const differing = Object.entries(change.fields).filter(
    ([, [before, after]]) => !isEqual(before ?? null, after ?? null),
  );
  return { ...change, fields: Object.fromEntries(differing) };
}

function isChange({ op, fields }: NetChange): boolean {
  return op !== 'update' || Object.keys(fields).length > 0;
}

/**
 * Leaves out the buttons of a new or deleted step, and the steps of a new or deleted tour: the sentence about the step
 * or the tour includes its parts.
 */
function withoutPartsOfNew(changes: readonly (NetChange & { paths: ReadonlySet<string> })[]): NetChange[] {
  const whole = changes.filter(({ op }) => op === 'create' || op === 'destroy');
  const isPartOf = (change: (typeof whole)[number], owner: (typeof whole)[number]) =>
    owner !== change &&
    owner.op === change.op &&
    (owner.place.type === 'experience' ||
      (owner.place.type === 'step' &&
        change.place.type === 'button' &&
        [...owner.paths].some((path) => [...change.paths].some((own) => own.startsWith(`${path}.`)))));
  return changes
    .filter((change) => !whole.includes(change) || !whole.some((owner) => isPartOf(change, owner)))
    .map(({ paths: _, ...change }) => change);
}

/**
 * In ordinary writes, a created or destroyed part has the kind `create` or `destroy`. In all others, its fields are pairs
 * with null.
 */
function opOf({ kind, path, object }: RecordedChange): NetChange['op'] {
  if (kind === 'create' || kind === 'destroy') return kind;
  const field = object[path === 'model' ? 'name' : 'position'];
  if (!isPair(field)) return 'update';
  return field[0] === null ? 'create' : field[1] === null ? 'destroy' : 'update';
}

function pairsOf({ kind, object }: RecordedChange): Record<string, Pair> {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]): [string, Pair] => {
      if (kind === 'create') return [name, [null, value]];
      if (kind === 'destroy') return [name, [value, null]];
      return [name, isPair(value) ? value : [null, value]];
    }),
  );
}

/** Like `netChanges`, for the summary of what changed since a publish, or between two versions. */
export function changesInSummary(summary: SummarizedChanges): NetChange[] {
  const all = [summary, ...summary.changes].flatMap(({ model_id, path, kind, object }): Working[] => {
    if (!object) return [];
    const fields = summaryFields(kind, object);
    return [{ op: kind, modelId: model_id, place: parsePath(path), fields, paths: new Set([path]) }];
  });
  return withFormerPlaces(withoutPartsOfNew(all.filter(isChange)));
}

/**
 * Replaces the numbers of parts with those from before the changes. A summary has the numbers from after them, and
 * sentences use the earlier ones.
 */
function withFormerPlaces(changes: readonly NetChange[]): NetChange[] {
  const former = new Map<number, number>();
  for (const { op, place, fields } of changes)
    if (op === 'update' && place.type === 'step' && typeof fields.position?.[0] === 'number')
      former.set(place.index ?? 0, fields.position[0]);
  return changes.map((change) => {
    const { op, place, fields } = change;
    if (op !== 'update' || place.type === 'experience') return change;
    const [was = null] = fields.position ?? [];
    const step = place.step === undefined ? undefined : (former.get(place.step) ?? place.step);
    const index = typeof was === 'number' ? was : place.index;
    return {
      ...change,
      place: { ...place, ...(step !== undefined && { step }), ...(index !== undefined && { index }) },
    };
  });
}

/** The change that undoes this one. */
export function reverseChange({ op, fields, ...change }: NetChange): NetChange {
  const reversed = Object.entries(fields).map(([name, [before, after]]): [string, Pair] => [name, [after, before]]);
  const other = { create: 'destroy', destroy: 'create', update: 'update', move: 'move' } as const;
  return { ...change, op: other[op], fields: Object.fromEntries(reversed) };
}

/**
 * The fields of one entry of a summary: a single field has its own name; several fields have all names, and their
 * values as two objects.
 */
function summaryFields(kind: string, { name, value }: { name: string; value?: unknown }): Record<string, Pair> {
  if (kind !== 'update') {
    const side = (one: unknown): Pair => (kind === 'create' ? [null, one] : [one, null]);
    return Object.fromEntries(Object.entries((value ?? {}) as object).map(([key, one]) => [key, side(one)]));
  }
  if (!isPair(value)) return {};
  if (!name.includes(', ')) return { [name]: value };
  const [before, after] = value as [Record<string, unknown>, Record<string, unknown>];
  return Object.fromEntries(Object.keys({ ...before, ...after }).map((key) => [key, [before[key], after[key]]]));
}

function isPair(value: unknown): value is Pair {
  return Array.isArray(value) && value.length === 2;
}
