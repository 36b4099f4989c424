import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { pathOfKind } from '@usher/domain';
import { apiUntil, type ResponseOf } from '../../../api/api.ts';
import type { ShownExperience } from '../../../editor/document.ts';

export type Explanation = ResponseOf<'POST /v3/edit/{kind}/{id}/explanations'>['explanation'];
export type Showing = Explanation['draft'];

/**
 * Whether a person sees the draft on a page. The request is sent again whenever the draft is saved, and cancels an
 * older one.
 */
export function useExplanation(
  { id, kind, updated_at }: ShownExperience,
  profile_id: string | undefined,
  href: string | undefined,
) {
  return useQuery({
    queryKey: ['explanations', id, updated_at, profile_id, href],
    queryFn: ({ signal }) =>
      apiUntil(signal, 'POST /v3/edit/{kind}/{id}/explanations', {
        kind: pathOfKind(kind),
        id,
        profile_id: profile_id as string,
        href: href as string,
      }),
    enabled: profile_id !== undefined && href !== undefined,
    // The result for the same person and page stays until the new one is loaded.
    placeholderData: (before, query) =>
      query?.queryKey[3] === profile_id && query?.queryKey[4] === href ? keepPreviousData(before) : undefined,
    staleTime: 0,
  });
}

/** How many people the draft and the live version are for. */
export function useAudience({ id, kind, updated_at }: ShownExperience) {
  return useQuery({
    queryKey: ['audiences', id, updated_at],
    queryFn: ({ signal }) => apiUntil(signal, 'POST /v3/edit/{kind}/{id}/audience', { kind: pathOfKind(kind), id }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
}
