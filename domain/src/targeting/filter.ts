import type { Scalar } from '../ingestion/value.ts';

/*
 * Filters as requests, the database and responses have them. condition.ts defines what they mean.
 */

export const orderOps = ['gt', 'gte', 'lt', 'lte'] as const;
export const ageOps = ['gt-d', 'lt-d'] as const;
/** These take one value or a list. A comma is part of the value. */
export const partOps = ['in', 'in-i', 'nin', 'nin-i', 'in-a', 'nin-a'] as const;
/** These take a list or a text with commas. `in-vi` and `nin-vi` ignore the case of A to Z. */
export const listOps = ['in-v', 'nin-v', 'in-vi', 'nin-vi'] as const;
export const propertyOps = ['ex', 'nx', 'eq', 'ne', ...orderOps, ...ageOps, ...partOps, ...listOps] as const;
export const comparisons = ['eq', 'ne', ...orderOps] as const;
export const groupOps = ['and', 'or'] as const;
export const filterKinds = ['property', 'event', 'tour', 'survey', 'segment', 'group'] as const;
/** Filters of other v3 services, with what to use instead. Only an import brings them, and they match nobody. */
export const foreignFilterKinds = {
  action: 'send the action as an event, and use a filter of the kind `event`',
  intercom: 'send the value as a property, and use a filter of the kind `property`',
} as const;
/** Filters about Companies, and about the properties of events, test only properties. */
export const propertyKindsOnly = ['property', 'group'] as const;
export const interactionStates = ['started', 'completed', 'exited', 'displayed'] as const;
/** Events, tours, surveys and Segments have only `ex` and `nx`. The other operators are aliases. */
export const presenceOps = new Map<unknown, PresenceOp>(
  Object.entries({ ex: 'ex', eq: 'ex', in: 'ex', nx: 'nx', ne: 'nx', nin: 'nx' } as const),
);

export type PropertyOp = (typeof propertyOps)[number];
export type ComparisonOp = (typeof comparisons)[number];
export type AgeOp = (typeof ageOps)[number];
export type GroupOp = (typeof groupOps)[number];
export type InteractionState = (typeof interactionStates)[number];
export type PresenceOp = 'ex' | 'nx';

export interface AgeFields {
  cond?: AgeOp;
  /** The age in days. */
  int?: number;
}
export interface CountFields {
  mod?: ComparisonOp;
  range?: number;
}

export type Filter =
  | { kind: 'property'; prop: string; op: PropertyOp; value?: Scalar | Scalar[] }
  | ({ kind: 'event'; op: PresenceOp; value: string } & CountFields & AgeFields)
  | ({ kind: 'tour'; op: PresenceOp; value: string; range?: InteractionState } & AgeFields)
  | ({ kind: 'survey'; op: PresenceOp; value: string } & CountFields)
  | { kind: 'segment'; op: PresenceOp; value: string }
  | { kind: 'group'; filters: Filter[]; filters_op: GroupOp }
  | ForeignFilter;

/** It also has the keys that it was imported with. */
export type ForeignFilter = { kind: keyof typeof foreignFilterKinds };

export type SegmentItem = { id?: string } & Filter;

/** Lists the Segments that these filters reference, and the paths of the references. */
export function listSegmentReferences(filters: readonly Filter[], path: string): { id: string; path: string }[] {
  return filters.flatMap((filter, index) => {
    const at = `${path}[${index}]`;
    if (filter.kind === 'segment') return [{ id: filter.value, path: `${at}.value` }];
    return filter.kind === 'group' ? listSegmentReferences(filter.filters, `${at}.filters`) : [];
  });
}

/** Lists the tours and surveys that these filters name, and the paths of the references. */
export function listExperienceReferences(filters: readonly Filter[], path: string): { id: string; path: string }[] {
  return filters.flatMap((filter, index) => {
    const at = `${path}[${index}]`;
    if (filter.kind === 'tour' || filter.kind === 'survey') return [{ id: filter.value, path: `${at}.value` }];
    return filter.kind === 'group' ? listExperienceReferences(filter.filters, `${at}.filters`) : [];
  });
}

export function isForeign(filter: { kind: string }): filter is ForeignFilter {
  return Object.hasOwn(foreignFilterKinds, filter.kind);
}

/** Lists the filters of other services, also in groups, with their paths. */
export function listForeignFilters(
  filters: readonly Filter[],
  path: string,
): { filter: ForeignFilter; path: string }[] {
  return filters.flatMap((filter, index) => {
    const at = `${path}[${index}]`;
    if (isForeign(filter)) return [{ filter, path: at }];
    return filter.kind === 'group' ? listForeignFilters(filter.filters, `${at}.filters`) : [];
  });
}

/** Copies the filters and replaces each value of a property. */
export function mapFilterValues<F extends Filter>(
  filters: readonly F[],
  replace: (prop: string, value: Scalar, op: PropertyOp) => Scalar,
): F[] {
  return filters.map((filter) => {
    if (filter.kind === 'group') return { ...filter, filters: mapFilterValues(filter.filters, replace) };
    if (filter.kind !== 'property' || filter.value === undefined) return filter;
    const { prop, op, value } = filter;
    const replaced = Array.isArray(value) ? value.map((one) => replace(prop, one, op)) : replace(prop, value, op);
    return { ...filter, value: replaced };
  });
}
