import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiUntil, type ParamsOf } from '../api/api.ts';
import { keyOf } from '../api/nouns.ts';
import { useDebounced } from '../ui/use-debounced.ts';
import { toCountable } from './countable-filters.ts';
import type { CountedPeople } from './describe-count.ts';
import type { FilterSet } from './filter-set.ts';

const TYPING_MS = 300;
/** After this time the server estimates the number by what it has counted so far. */
const COUNTING_MS = 2000;

type CountParams = ParamsOf<'POST /v3/analyze/profiles/count'>;

interface PeopleCount {
  counted: CountedPeople | undefined;
  /** Whether the number is of the previous conditions, while the new one is being counted. */
  isOld: boolean;
  isFailed: boolean;
}

/**
 * Counts the people who meet the conditions. It waits until nothing was changed for a moment, and cancels superseded
 * requests.
 */
export function usePeopleCount(value: FilterSet): PeopleCount {
  const wanted = JSON.stringify({ ...value, filters: toCountable(value.filters) });
  const settled = useDebounced(wanted, TYPING_MS);
  const { data, isPlaceholderData, isError } = useQuery({
    queryKey: keyOf('profiles', 'count', settled),
    queryFn: ({ signal }) =>
      apiUntil(signal, 'POST /v3/analyze/profiles/count', {
        ...(JSON.parse(settled) as Pick<CountParams, 'filters' | 'filters_op'>),
        without_test_users: true,
        within_ms: COUNTING_MS,
      }),
    placeholderData: keepPreviousData,
    staleTime: 15_000,
  });
  return {
    counted: data,
    isOld: isPlaceholderData || settled !== wanted,
    isFailed: isError,
  };
}
