import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiUntil, type ParamsOf } from '../api/api.ts';
import { useDebounced } from '../ui/use-debounced.ts';
import type { FilterSet } from './filter-set.ts';

const TYPING_MS = 300;
const MAX_PEOPLE = 5;

type SearchParams = ParamsOf<'POST /v3/analyze/profiles'>;

interface SampledPerson {
  id: string;
  /** What people call them: the name, or else the email or the ID. */
  name: string;
  /** A second way to tell who it is. */
  detail: string | undefined;
  lastSeenAt: string | undefined;
}

/** Some of the people who meet the conditions, the newest first. */
export function usePeopleSample(value: FilterSet): { people: SampledPerson[] | undefined; isOld: boolean } {
  const wanted = JSON.stringify(value);
  const settled = useDebounced(wanted, TYPING_MS);
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['profiles', 'sample', settled],
    queryFn: ({ signal }) =>
      apiUntil(signal, 'POST /v3/analyze/profiles', {
        ...(JSON.parse(settled) as Pick<SearchParams, 'filters' | 'filters_op'>),
        limit: MAX_PEOPLE,
      }),
    placeholderData: keepPreviousData,
    staleTime: 15_000,
  });
  const people = data?.profiles.map((profile) => toPerson(profile as Record<string, unknown>));
  return { people, isOld: isPlaceholderData || settled !== wanted };
}

function toPerson({ id, uid, email, name, last_seen_at: at }: Record<string, unknown>): SampledPerson {
  const texts = [name, email, uid].filter((text): text is string => typeof text === 'string' && text !== '');
  return {
    id: String(id),
    name: texts[0] ?? String(id),
    detail: texts[1],
    lastSeenAt: typeof at === 'string' ? at : undefined,
  };
}
