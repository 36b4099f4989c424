import Type, { type Static } from 'typebox';
import { keysOf } from '../basics/records.ts';
import { OneOf, OutputObject, SeenUpdatedAt, standardFields, Text } from '../basics/schema.ts';
import {
  type Filter,
  type ForeignFilter,
  filterKinds,
  foreignFilterKinds,
  groupOps,
  isForeign,
  listForeignFilters,
  listSegmentReferences,
  type SegmentItem,
} from './filter.ts';
import { describeForeign } from './read-filters.ts';

const filtersSchema = {
  type: 'array',
  format: 'filters',
  description: 'a list of filters',
  items: {
    type: 'object',
    required: ['kind'],
    properties: {
      kind: { type: 'string', enum: [...filterKinds, ...keysOf(foreignFilterKinds)], default: 'property' },
      prop: { type: 'string' },
      op: { type: 'string' },
      value: {},
      mod: { type: 'string' },
      range: {},
      cond: { type: 'string', enum: ['gt-d', 'lt-d'] },
      int: { type: 'number' },
      filters: { type: 'array', items: { type: 'object' } },
      filters_op: { type: 'string', enum: [...groupOps] },
    },
  },
};
/** A parameter with filters. Each filter is read and checked separately. */
export const Filters = Type.Unsafe<Filter[]>(filtersSchema);

/** The items of a Segment: filters, each with an ID. */
const Items = Type.Unsafe<SegmentItem[]>({
  ...filtersSchema,
  format: 'items',
  items: { ...filtersSchema.items, properties: { id: { type: 'string' }, ...filtersSchema.items.properties } },
});

const filters_op = OneOf(groupOps, { default: 'and' });
export const filterParameters = { filters: Type.Optional(Filters), filters_op };
export const companyFilterParameters = {
  filters: Type.Optional(Type.Unsafe<Filter[]>({ ...Filters, format: 'company_filters' })),
  filters_op,
};

const SegmentItemSchema = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string' } },
  additionalProperties: true,
};

/** A saved set of filters over profiles. */
export const Segment = OutputObject({
  ...standardFields,
  name: Type.String(),
  items: Type.Unsafe<SegmentItem[]>({ type: 'array', items: SegmentItemSchema }),
  items_op: OneOf(groupOps),
  /** The kinds of the filters that were imported and match nobody, only if there are some. */
  unsupported_kinds: Type.Optional(Type.Array(OneOf(keysOf(foreignFilterKinds)))),
});
export type Segment = Static<typeof Segment>;

const name = Text('the name of the Segment');

export const CreateSegment = Type.Object({
  name,
  items: Type.Unsafe<SegmentItem[]>({ ...Items, default: [] }),
  items_op: OneOf(groupOps, { default: 'and' }),
});
export type CreateSegment = Static<typeof CreateSegment>;

export const UpdateSegment = Type.Object({
  name: Type.Optional(name),
  items: Type.Optional(Items),
  items_op: Type.Optional(OneOf(groupOps)),
  updated_at: SeenUpdatedAt,
});
export type UpdateSegment = Static<typeof UpdateSegment>;

/**
 * Gives each item an ID, as items are stored. An item that comes back with its ID keeps it, and so does an item that comes
 * back unchanged without its ID. Any other item gets a new ID.
 */
export function withItemIds(
  items: readonly SegmentItem[],
  before: readonly SegmentItem[],
  newId: () => string,
): SegmentItem[] {
  const free = new Map(before.map(({ id, ...filter }) => [id, JSON.stringify(filter)]));
  const kept = items.map(({ id }) => (id !== undefined && free.delete(id) ? id : undefined));
  return items.map(({ id: _, ...filter }, index) => {
    const text = JSON.stringify(filter);
    const same = [...free].find(([, other]) => other === text)?.[0];
    const id = kept[index] ?? same ?? newId();
    free.delete(id);
    return { id, ...filter } as SegmentItem;
  });
}

export const ImportSegment = Type.Object({
  name: Type.Optional(name),
  items: Items,
  items_op: OneOf(groupOps, { default: 'and' }),
});
export type ImportSegment = Static<typeof ImportSegment>;

export function listUnsupportedKinds(items: readonly Filter[]): ForeignFilter['kind'][] {
  return [...new Set(listForeignFilters(items, '').map(({ filter }) => filter.kind))];
}

/** Rejects foreign filters, except filters that the Segment has already. Only an import brings them. */
export function listForeignProblems(items: readonly Filter[], before: readonly Filter[], at = 'items'): string[] {
  const write = (filter: Filter) => JSON.stringify({ ...filter, id: undefined });
  const known = new Set(listForeignFilters(before, '').map(({ filter }) => write(filter)));
  return listForeignFilters(items, at)
    .filter(({ filter }) => !known.has(write(filter)))
    .map(({ filter, path }) => `\`${path}.kind\` ${describeForeign(filter.kind)}`);
}

const MAX_EXPANDED_FILTERS = 1000;
/** Fits any Segment together with any filters, and its SQL stays within the parameter limits of both databases. */
export const MAX_QUERY_FILTERS = 2250;

/** Finds the filters of a Segment; undefined when there is no such Segment. */
type SegmentLookup = (id: string) => readonly Filter[] | undefined;

/** Whether a Segment is another Segment, or references it directly or through others. */
export function referencesSegment(
  from: string,
  to: string,
  lookup: SegmentLookup,
  visited = new Set<string>(),
): boolean {
  if (from === to) return true;
  if (visited.has(from)) return false;
  visited.add(from);
  return listSegmentReferences(lookup(from) ?? [], '').some(({ id }) => referencesSegment(id, to, lookup, visited));
}

/** Whether the filters and values exceed the limit, when the Segments in them are expanded. */
export function exceedsFilterLimit(
  filters: readonly Filter[],
  lookup: SegmentLookup,
  most = MAX_EXPANDED_FILTERS,
): boolean {
  const sizes = new Map<string, number>();
  const countAll = (list: readonly Filter[]): number => list.reduce((sum, filter) => sum + countOne(filter), 0);
  const countOne = (filter: Filter): number => {
    if (filter.kind === 'group') return 1 + countAll(filter.filters);
    if (filter.kind === 'property') return Array.isArray(filter.value) ? filter.value.length : 1;
    if (isForeign(filter) || filter.kind !== 'segment') return 1;
    const known = sizes.get(filter.value) ?? 1 + countAll(lookup(filter.value) ?? []);
    sizes.set(filter.value, known);
    return known;
  };
  return countAll(filters) > most;
}

export function formatFilterLimit(most = MAX_EXPANDED_FILTERS): string {
  return `with the Segments in it comes to more than ${most} filters and values: use fewer`;
}
