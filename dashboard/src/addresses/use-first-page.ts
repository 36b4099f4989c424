import { useQuery } from '@tanstack/react-query';
import { query } from '../api/queries.ts';
import { useVisitedPaths } from './address-field.tsx';

/** The initial page until somebody types one: the most visited page, or the first domain. */
export function useFirstPage(): string {
  const [visited] = useVisitedPaths();
  const { data } = useQuery(query('GET /v3/edit/urls', { limit: 1 }));
  if (visited) return visited.host + visited.path;
  const host = data?.urls[0]?.host;
  return host && !host.includes('*') ? `${host}/` : '';
}
