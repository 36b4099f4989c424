import { findHostState, type Host, initialEnabled } from '@usher/domain';
import { noHost, reasonOf } from '../../../pages/admit-host.ts';
import type { PublishedAccount } from '../../../published/published-account.ts';

/** Why nothing shows on a host, in words. It agrees with `admitHost`, and records nothing. */
export function findHostProblem({ urls }: PublishedAccount, host: Host | undefined): string | undefined {
  if (host === undefined) return noHost().message;
  const state = findHostState(host.host, urls);
  // A page load records a new host, which is on below a domain with all its subdomains.
  const isOn = state === 'on' || (state === 'unknown' && initialEnabled(host, urls) === 'on');
  return isOn ? undefined : `${host.host} ${reasonOf(state)}`;
}
