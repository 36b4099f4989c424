import type { Readiness } from '../../../http/inspect-url.ts';
import type { Judgement } from './judgement.ts';

/** @param failingAccounts the accounts whose page loads keep failing on one server */
export function judgePageLoads(failingAccounts = 0): Judgement {
  if (failingAccounts === 0) return { good: 'Page loads get a response.' };
  const whose = failingAccounts === 1 ? 'one account' : `${failingAccounts} accounts`;
  return { problem: `All page loads of ${whose} fail on this server: the log says why.` };
}

/** Judges what the running server reports about itself. */
export function judgeReadiness({ status, messages = [], failing_accounts }: Readiness): Judgement {
  if (status === 200) return judgePageLoads(failing_accounts);
  return { problem: `The server is not ready. ${messages.join('. ') || `/readyz responds with ${status}`}.` };
}
