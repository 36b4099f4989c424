import type { QueryClient } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { ApiError } from '../api/errors.ts';
import { showError } from './show-error.ts';

/** Ends the session and loads the page again, so that nothing of it stays in memory. */
export async function signOut(client: QueryClient): Promise<void> {
  try {
    await api('DELETE /v3/session');
  } catch (error) {
    // It had ended already.
    if (!(error instanceof ApiError && error.status === 401)) {
      showError(error);
      return;
    }
  }
  client.clear();
  location.assign('/');
}
