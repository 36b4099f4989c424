import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { type SignedIn, sessionQuery } from '../../api/session.ts';

/** Goes on as the person who has just signed in: to the address given, or to the one that was opened. */
export function useEnter(): (session: SignedIn, path?: string) => void {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  return (session, path) => {
    client.removeQueries();
    client.setQueryData(sessionQuery.queryKey, session);
    if (path !== undefined) navigate(path, { replace: true });
  };
}
