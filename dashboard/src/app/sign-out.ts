import type { QueryClient } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { ApiError } from '../api/errors.ts';
import { showError } from './show-error.ts';

/** Ends the session and loads the page again, so that no data stays in memory. */
export async function signOut(client: QueryClient): Promise<void> {
  try {
    await api('DELETE /v3/session');
  } catch (error) {
    // The session had ended already.
    if (!(error instanceof ApiError && error.status === 401)) {
      showError(error);
      return;
    }
  }
  await removeLocalCopies();
  client.clear();
  location.assign('/');
}

/** Removes texts that the server has too, because others may use this device. */
async function removeLocalCopies(): Promise<void> {
  try {
    // Few people sign out, so the module is loaded only now.
    const { removeSavedCopies } = await import('../editor/drafts.ts');
    await removeSavedCopies();
  } catch {
    // Without a database there are no copies. The session has ended in any case.
  }
}
