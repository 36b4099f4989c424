import { AccountGuard, guarded } from './account-guard.ts';
import type { Db, HeavyReadOptions, Storage } from './storage.ts';

/** Adds the account guard. What reads for an account without options is made once. */
export function heavyReaderOn(
  open: (accountId: string | null, options: HeavyReadOptions) => Db,
): Storage['heavyReader'] {
  const withoutOptions = guarded((accountId) => open(accountId, {}));
  return (accountId, options) =>
    options ? open(accountId, options).withPlugin(new AccountGuard(accountId)) : withoutOptions(accountId);
}
