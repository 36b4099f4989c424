import { type Condition, listConditions, listRuleFilters, type Millis, toCondition } from '@usher/domain';
import type { PublishedAccount } from '../../../published/published-account.ts';
import type { PublishedExperience } from '../../../published/published-experience.ts';

/** What the Segments of an account, the items of its launchers, and the rules of its surveys, read of a user, beyond what every page load reads. */
interface SegmentNeeds {
  /** The names of events. */
  events: readonly string[];
  /** Whether they read answers to surveys. */
  answers: boolean;
}

/** What is live changes with the time, while the account stays the same. */
const needsByLive = new WeakMap<readonly PublishedExperience[], SegmentNeeds>();

export function findSegmentNeeds(account: PublishedAccount, now: Millis): SegmentNeeds {
  const live = account.liveExperiences(now);
  const known = needsByLive.get(live);
  if (known) return known;
  const items = live.flatMap(({ checklist }) => (checklist ? listConditions(checklist) : []));
  const rules = live.flatMap(({ document }) => listRuleFilters(document)).map(({ filters }) => toCondition(filters));
  const conditions = [...account.segments.values(), ...items, ...rules].flatMap(flatten);
  const events = conditions.flatMap((condition) => (condition.is === 'event' ? [condition.name] : []));
  const needs = { events: [...new Set(events)], answers: conditions.some(({ is }) => is === 'survey') };
  needsByLive.set(live, needs);
  return needs;
}

function flatten(condition: Condition): Condition[] {
  if (condition.is === 'all' || condition.is === 'any') return condition.of.flatMap(flatten);
  return condition.is === 'not' ? flatten(condition.of) : [condition];
}
