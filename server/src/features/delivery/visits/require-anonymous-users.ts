import { forbidden, invalid } from '../../../errors.ts';
import { currentAccount } from '../../../pages/current-account.ts';
import type { PageRequest } from '../../../pages/page-request.ts';

/** Rejects a page without a uid, unless the account has users who have not signed in. */
export async function requireAnonymousUsers({ ctx, account: known }: PageRequest): Promise<void> {
  const isOn = known.anonymousUsers && !known.requireUidHash;
  // An owner may have changed the setting, which this process learns only from the version number.
  const { anonymousUsers, requireUidHash } = isOn ? known : await currentAccount(ctx, known);
  if (!anonymousUsers)
    throw invalid(
      '`uid` is required: give the ID that your product has for the user, or turn on users who have not signed in (`anonymous_users` of the account)',
    );
  if (requireUidHash)
    throw forbidden(
      'This account requires `uid_hash`, so it has no users who have not signed in: call `usher.identify` when the user has signed in, with their `uid` and the `uid_hash` of your backend',
    );
}
