import type { Host, InstallationEntryKind } from '@usher/domain';
import type { AppContext } from '../context.ts';
import type { ApiError } from '../errors.ts';
import { isWatched } from './installation-log.ts';
import type { Visit } from './visit-token.ts';

interface Rejection {
  /** The ID of the account. */
  id: string;
  kind: InstallationEntryKind;
  host: Host | undefined;
  visit: Visit | undefined;
  userAgent: string | undefined;
  params: Record<string, unknown>;
  error: ApiError;
}

/** Records why a request of a page was rejected, if somebody watches. */
export async function logRejection(app: AppContext, rejection: Rejection): Promise<void> {
  const { id, kind, host, visit, userAgent, params, error } = rejection;
  // The version in memory is good enough here, even if the request has loaded a newer one.
  const account = await app.publishedCache.account(id);
  if (!account || !isWatched(account, app.now())) return;
  app.installationLog.add(id, {
    kind,
    host: host?.host,
    href: params.href,
    profileId: visit?.profileId,
    ...(kind === 'identify' ? { uid: params.uid } : { name: params.name }),
    userAgent,
    outcome: 'rejected',
    messages: error.messages,
  });
}
