import type { QueryClient } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { ApiError } from '../api/errors.ts';
import { showError } from './show-error.ts';

/** Ends the session and loads the page again, so that nothing of it stays in memory. */
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

/** Texts that the server has do not stay on a device that others may use. */
async function removeLocalCopies(): Promise<void> {
  try {
    // Few people sign out, so the code is not a part of every page.
    const { removeSavedCopies } = await import('../editor/drafts.ts');
    await removeSavedCopies();
  } catch {
    // Without a database there are no copies. The session has ended in any case.
  }
}
