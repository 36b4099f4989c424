import type { SegmentItem } from '@usher/domain';
import { useState } from 'react';
import type { ParamsOf } from '../api/api.ts';
import { suggestName } from './describe-filters.ts';
import type { FilterSet } from './filter-set.ts';
import type { FilterNames } from './names.ts';

/** A Segment as the API returns it. */
export interface SavedSegment {
  id: string;
  name: string;
  items: Record<string, unknown>[];
  items_op: 'and' | 'or';
  updated_at: string;
}

const nobodyChosen: FilterSet = { filters: [], filters_op: 'and' };

/** The conditions of a Segment. */
export function filtersOf({ items, items_op }: Pick<SavedSegment, 'items' | 'items_op'>): FilterSet {
  return { filters: items as SegmentItem[], filters_op: items_op };
}

interface Typed {
  /** The typed name. Without it, the name is the sentence that describes the conditions. */
  name?: string | undefined;
  value?: FilterSet;
}

/**
 * A Segment while it is edited. Its name follows the conditions until somebody types another name. A saved name that is
 * equal to the sentence of its conditions follows them too.
 */
export function useSegmentDraft(saved: SavedSegment | undefined, names: FilterNames) {
  const [typed, setTyped] = useState<Typed>({});
  const [unfinished, setUnfinished] = useState(0);
  const before = saved ? filtersOf(saved) : nobodyChosen;
  const value = typed.value ?? before;
  const isNamed = saved !== undefined && saved.name !== suggestName(before, names);
  const ownName = 'name' in typed ? typed.name : isNamed ? saved.name : undefined;
  const suggested = suggestName(value, names);
  const name = ownName?.trim() || suggested;
  const isChanged = saved
    ? name !== saved.name || JSON.stringify(value) !== JSON.stringify(before)
    : typed.name !== undefined || value.filters.length > 0;
  return {
    value,
    setValue: (next: FilterSet) => setTyped({ ...typed, value: next }),
    /** The name that the field shows. */
    shownName: ownName ?? suggested,
    name,
    hasOwnName: ownName !== undefined && ownName.trim() !== '' && ownName.trim() !== suggested,
    setName: (next: string | undefined) => setTyped({ ...typed, name: next }),
    suggested,
    unfinished,
    setUnfinished,
    isDirty: isChanged || unfinished > 0,
    reset: () => setTyped({}),
    params: toParams(name, value),
  };
}

export type SegmentDraft = ReturnType<typeof useSegmentDraft>;

function toParams(name: string, { filters, filters_op }: FilterSet): ParamsOf<'POST /v3/edit/segments'> {
  return {
    name,
    items: filters as unknown as ParamsOf<'POST /v3/edit/segments'>['items'] & object,
    items_op: filters_op,
  };
}
