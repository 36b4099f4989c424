import { createContext, useContext } from 'react';
import type { ResponseOf } from './api.ts';
import { query } from './queries.ts';

export type SignedIn = ResponseOf<'GET /v3/session'>;
export type Permission = SignedIn['user']['permissions'][number];

export const sessionQuery = query('GET /v3/session');

export const SessionContext = createContext<SignedIn | null>(null);

/** Who has signed in, in which account, and what they may do there. */
export function useSession(): SignedIn & { can(permission: Permission): boolean } {
  const session = useContext(SessionContext);
  if (!session) throw new Error('This page needs somebody who has signed in');
  return { ...session, can: (permission) => session.user.permissions.includes(permission) };
}
