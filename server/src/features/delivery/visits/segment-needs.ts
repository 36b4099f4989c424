import type { Condition } from '@usher/domain';
import type { PublishedAccount } from '../../../published/published-account.ts';

/** What the Segments of an account read of a user, beyond what every page load reads. */
interface SegmentNeeds {
  /** The names of events. */
  events: readonly string[];
  /** Whether the Segments read answers to surveys. */
  answers: boolean;
}

const needsByAccount = new WeakMap<PublishedAccount, SegmentNeeds>();

export function findSegmentNeeds(account: PublishedAccount): SegmentNeeds {
  const known = needsByAccount.get(account);
  if (known) return known;
  const conditions = [...account.segments.values()].flatMap(flatten);
  const events = conditions.flatMap((condition) => (condition.is === 'event' ? [condition.name] : []));
  const needs = { events: [...new Set(events)], answers: conditions.some(({ is }) => is === 'survey') };
  needsByAccount.set(account, needs);
  return needs;
}

function flatten(condition: Condition): Condition[] {
  if (condition.is === 'all' || condition.is === 'any') return condition.of.flatMap(flatten);
  return condition.is === 'not' ? flatten(condition.of) : [condition];
}
