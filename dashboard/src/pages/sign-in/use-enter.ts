import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { SignedIn } from '../../api/session.ts';
import { startSession } from '../../api/start-session.ts';

/** Continues as the person who has just signed in, at the given address or at the one that was opened. */
export function useEnter(): (session: SignedIn, path?: string) => void {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  return (session, path) => {
    startSession(client, session);
    if (path !== undefined) navigate(path, { replace: true });
  };
}
