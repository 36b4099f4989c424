import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiUntil, type ResponseOf } from '../../../api/api.ts';
import { keyOf } from '../../../api/nouns.ts';

export type Queue = ResponseOf<'POST /v3/edit/profiles/{id}/queue'>['queue'];
export type QueuedExperience = Queue['next'][number]['experience'];

/** What a person would see on a page. Its key begins with `profiles`, so that it is loaded again when a Delivery changes. */
export function useQueue(id: string, href: string | undefined) {
  return useQuery({
    queryKey: keyOf('profiles', 'queue', id, href),
    queryFn: ({ signal }) => apiUntil(signal, 'POST /v3/edit/profiles/{id}/queue', { id, href: href as string }),
    enabled: href !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}
