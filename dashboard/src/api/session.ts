import { queryOptions } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { api, type ResponseOf } from './api.ts';
import { keyOf } from './nouns.ts';
import { accountPrompt } from './prompt.ts';
import { setShownUser, shownUser } from './shown-user.ts';

export type SignedIn = ResponseOf<'GET /v3/session'>;
export type Permission = SignedIn['user']['permissions'][number];

export const sessionQuery = queryOptions<SignedIn>({ queryKey: keyOf('session'), queryFn: loadSession });

/**
 * The first session that is loaded decides what this tab shows. A later session does not change that without a
 * question.
 */
async function loadSession(): Promise<SignedIn> {
  for (;;) {
    const session = await api('GET /v3/session');
    const shown = shownUser();
    if (shown === undefined) setShownUser(session.user.id);
    if (shown === undefined || shown === session.user.id) return session;
    await accountPrompt.ask('switched');
  }
}

export const SessionContext = createContext<SignedIn | null>(null);

/** Who has signed in, in which account, and what they may do there. */
export function useSession(): SignedIn & { can(permission: Permission): boolean } {
  const session = useContext(SessionContext);
  if (!session) throw new Error('This page needs somebody who has signed in');
  return { ...session, can: (permission) => session.user.permissions.includes(permission) };
}
