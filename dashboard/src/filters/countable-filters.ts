import { type Filter, isForeign } from '@usher/domain';

/** Matches nobody, as a filter of another service does. */
const nobody: Filter = { kind: 'property', prop: 'id', op: 'nx' };

/** Conditions as the server counts and searches by them. It rejects filters of other services, which a Segment may have. */
export function toCountable(filters: readonly Filter[]): Filter[] {
  return filters.map((filter) => {
    if (isForeign(filter)) return nobody;
    return filter.kind === 'group' ? { ...filter, filters: toCountable(filter.filters) } : filter;
  });
}
