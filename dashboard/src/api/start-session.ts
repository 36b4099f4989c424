import type { QueryClient } from '@tanstack/react-query';
import { type SignedIn, sessionQuery } from './session.ts';
import { announceUser, setShownUser } from './shown-user.ts';

/** The data that does not depend on who has signed in. Without it, a link that was just used would be checked again. */
const kept = new Set<unknown>(['session', 'links']);

/** Continues with the person and the account of a new session. Data that was loaded before is never shown again. */
export function startSession(client: QueryClient, session: SignedIn): void {
  setShownUser(session.user.id);
  announceUser(session.user.id);
  client.setQueryData(sessionQuery.queryKey, session);
  void client.resetQueries({ predicate: ({ queryKey }) => !kept.has(queryKey[0]) });
}
