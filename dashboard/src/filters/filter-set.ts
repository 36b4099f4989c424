import type { Filter, GroupOp } from '@usher/domain';

/** Conditions about people or Companies, and how they are joined. */
export interface FilterSet {
  filters: Filter[];
  filters_op: GroupOp;
}

/** Filters that must all match, as conditions. Several that are joined by "or" are one group. */
export function toFilterSetOf(filters: Filter[]): FilterSet {
  const [only] = filters;
  if (filters.length === 1 && only?.kind === 'group') return { filters: only.filters, filters_op: only.filters_op };
  return { filters, filters_op: 'and' };
}

/** The opposite of `toFilterSetOf`. */
export function toAllOf({ filters, filters_op }: FilterSet): Filter[] {
  return filters_op === 'or' && filters.length > 1 ? [{ kind: 'group', filters, filters_op }] : filters;
}
