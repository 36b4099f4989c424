import { useQueries, useQuery } from '@tanstack/react-query';
import { listPublishProblems, type PublishProblem } from '@usher/domain';
import { useDeferredValue, useMemo } from 'react';
import { ApiError } from '../api/errors.ts';
import { query } from '../api/queries.ts';
import type { Document } from './document.ts';

export type Problem = PublishProblem;

/**
 * The problems that keep the document from being published. They are computed when the browser is idle, so that typing
 * does not wait.
 */
export function useProblems(document: Document | undefined): readonly Problem[] {
  const deferred = useDeferredValue(document);
  const campaigns = useCampaigns(deferred);
  const { data: settings } = useQuery(query('GET /v3/edit/account'));
  const allowGlobals = settings?.account.allow_globals ?? true;
  return useMemo(
    () => (deferred ? listPublishProblems(deferred, campaigns, allowGlobals) : []),
    [deferred, campaigns, allowGlobals],
  );
}

/** The tours and surveys that buttons and items start. */
function campaignIds({ steps, items = [] }: Document): string[] {
  const ids = [
    ...steps.flatMap(({ buttons }) => buttons.map((button) => button.action_campaign_id)),
    ...items.map((item) => item.campaign_id),
  ];
  return [...new Set(ids.filter((id) => id !== null))].sort();
}

/**
 * Whether each of the tours and surveys is live. One that is still loading counts as live, because a problem that
 * vanishes again would confuse.
 */
function useCampaigns(document: Document | undefined): ReadonlyMap<string, boolean> {
  const ids = document ? campaignIds(document) : [];
  const results = useQueries({
    queries: ids.map((id) => ({ ...query('GET /v3/edit/experiences/{id}', { id }), retry: false, staleTime: 30_000 })),
  });
  const states = ids.map((id, index) => {
    const { data, error } = results[index] ?? {};
    if (error instanceof ApiError && error.status === 404) return `${id} gone`;
    return `${id} ${data === undefined || data.experience.state === 'live'}`;
  });
  const known = states.join();
  return useMemo(() => {
    const pairs = known.split(',').map((one) => one.split(' '));
    return new Map(pairs.flatMap(([id = '', state]) => (state === 'gone' || !id ? [] : [[id, state === 'true']])));
  }, [known]);
}
