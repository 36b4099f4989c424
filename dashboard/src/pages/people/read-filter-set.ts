import { type GroupOp, readFilters } from '@usher/domain';
import type { FilterSet } from '../../filters/filter-set.ts';

/** Reads the filters of an address. A link may be cut off or changed, so they are checked as on the server. */
export function readFilterSet(filters: string, op: string): FilterSet & { isBad: boolean } {
  const filters_op: GroupOp = op === 'or' ? 'or' : 'and';
  if (filters === '') return { filters: [], filters_op, isBad: false };
  const problems: string[] = [];
  const read = readFilters(parseJson(filters), 'filters', problems);
  if (!read || problems.length > 0) return { filters: [], filters_op, isBad: true };
  return { filters: read, filters_op, isBad: false };
}

function parseJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** The filters as a param of the address. Without filters there is no param. */
export function writeFilterSet({ filters, filters_op }: FilterSet): { filters: string; filters_op: string } {
  if (filters.length === 0) return { filters: '', filters_op: '' };
  return { filters: JSON.stringify(filters), filters_op: filters_op === 'or' ? 'or' : '' };
}
