import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiUntil } from '../api/api.ts';
import { useDebounced } from '../ui/use-debounced.ts';
import type { FilterSet } from './filter-set.ts';

const TYPING_MS = 300;

export interface PeopleCount {
  count: number | undefined;
  /** The number is of other conditions; the new one is being counted. */
  isOld: boolean;
  isFailed: boolean;
}

/** How many people meet the conditions. It waits until nothing was changed for a moment, and cancels what is superseded. */
export function usePeopleCount(value: FilterSet): PeopleCount {
  const wanted = JSON.stringify(value);
  const settled = useDebounced(wanted, TYPING_MS);
  const { data, isPlaceholderData, isError } = useQuery({
    queryKey: ['profiles', 'count', settled],
    queryFn: ({ signal }) =>
      apiUntil(signal, 'POST /v3/analyze/profiles/count', {
        ...(JSON.parse(settled) as FilterSet),
        without_test_users: true,
      } as Parameters<typeof apiUntil<'POST /v3/analyze/profiles/count'>>[2]),
    placeholderData: keepPreviousData,
    staleTime: 15_000,
  });
  return { count: data?.count, isOld: isPlaceholderData || settled !== wanted, isFailed: isError };
}
