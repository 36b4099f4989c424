import type { QueryClient } from '@tanstack/react-query';
import { type SignedIn, sessionQuery } from './session.ts';

/** Goes on as the person and in the account of a new session. Nothing that was loaded before is shown again. */
export function startSession(client: QueryClient, session: SignedIn): void {
  client.setQueryData(sessionQuery.queryKey, session);
  const [noun] = sessionQuery.queryKey;
  void client.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== noun });
}
