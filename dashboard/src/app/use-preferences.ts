import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { invalidate } from '../api/nouns.ts';
import { type SignedIn, sessionQuery, useSession } from '../api/session.ts';
import { showError } from './show-error.ts';

type Preferences = SignedIn['preferences'];

/** What the person has chosen for the dashboard. A change shows immediately, and is taken back if the server rejects it. */
export function usePreferences(): [Preferences, (changes: Partial<Preferences>) => Promise<void>] {
  const client = useQueryClient();
  const { preferences } = useSession();
  const show = (shown: Preferences) =>
    client.setQueryData(sessionQuery.queryKey, (session) => session && { ...session, preferences: shown });
  const change = async (changes: Partial<Preferences>) => {
    // A response that is on its way does not have the change yet.
    await client.cancelQueries({ queryKey: sessionQuery.queryKey });
    show({ ...preferences, ...changes });
    try {
      show((await api('PATCH /v3/session/preferences', changes)).preferences);
    } catch (error) {
      showError(error);
      await invalidate(client, 'session');
    }
  };
  return [preferences, change];
}
