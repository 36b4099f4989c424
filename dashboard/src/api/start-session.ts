import type { QueryClient } from '@tanstack/react-query';
import { type SignedIn, sessionQuery } from './session.ts';
import { announceUser, setShownUser } from './shown-user.ts';

/** What does not depend on who has signed in. A link that was just used would be checked again otherwise. */
const kept = new Set<unknown>(['session', 'links']);

/** Goes on as the person and in the account of a new session. Nothing that was loaded before is shown again. */
export function startSession(client: QueryClient, session: SignedIn): void {
  setShownUser(session.user.id);
  announceUser(session.user.id);
  client.setQueryData(sessionQuery.queryKey, session);
  void client.resetQueries({ predicate: ({ queryKey }) => !kept.has(queryKey[0]) });
}
