import { useQuery } from '@tanstack/react-query';
import { query } from './queries.ts';

export const attentionQuery = query('GET /v3/analyze/attention');

/** Whether an Experience is live, but can show on none of the domains. */
export function useIsNowhere(id: string): boolean {
  const { data } = useQuery(attentionQuery);
  return data?.attention.some(({ type, target }) => type === 'shows_nowhere' && target.id === id) ?? false;
}
