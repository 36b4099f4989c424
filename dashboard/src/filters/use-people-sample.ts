import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiUntil, type ParamsOf, type ResponseOf } from '../api/api.ts';
import { keyOf } from '../api/nouns.ts';
import { useDebounced } from '../ui/use-debounced.ts';
import { toCountable } from './countable-filters.ts';
import type { FilterSet } from './filter-set.ts';

const TYPING_MS = 300;
const MAX_PEOPLE = 5;

type SearchParams = ParamsOf<'POST /v3/edit/profiles/search'>;
type FoundPerson = ResponseOf<'POST /v3/edit/profiles/search'>['profiles'][number];

interface SampledPerson {
  id: string;
  /** The name of the person, or else the email or the ID. */
  name: string;
  /** A second text to recognize the person, such as the email. */
  detail: string | undefined;
  lastSeenAt: string | null;
}

interface PeopleSample {
  people: SampledPerson[] | undefined;
  /** Whether there was no time to search all people, so that there can be more. */
  isPartial: boolean;
  isOld: boolean;
}

/** Some of the people who meet the conditions, the newest first. */
export function usePeopleSample(value: FilterSet): PeopleSample {
  const wanted = JSON.stringify({ ...value, filters: toCountable(value.filters) });
  const settled = useDebounced(wanted, TYPING_MS);
  const { data, isPlaceholderData } = useQuery({
    queryKey: keyOf('profiles', 'sample', settled),
    queryFn: ({ signal }) =>
      apiUntil(signal, 'POST /v3/edit/profiles/search', {
        ...(JSON.parse(settled) as Pick<SearchParams, 'filters' | 'filters_op'>),
        limit: MAX_PEOPLE,
      }),
    placeholderData: keepPreviousData,
    staleTime: 15_000,
  });
  return {
    people: data?.profiles.map(toPerson),
    isPartial: data?.is_complete === false,
    isOld: isPlaceholderData || settled !== wanted,
  };
}

function toPerson({ id, uid, email, name, last_seen_at }: FoundPerson): SampledPerson {
  const [first = uid, second] = [name, email, uid].filter((one): one is string => one !== null);
  return { id, name: first, detail: second, lastSeenAt: last_seen_at };
}
