import { type DecisionInput, isInEnvironment } from '@usher/domain';
import type { PublishedAccount } from '../../../published/published-account.ts';

/** The events that this page counts without code, as a part of the response. Most accounts have none. */
export function presentPageEvents(
  { pageEvents }: PublishedAccount,
  { page, budget, urlGroupId, pageProblem }: DecisionInput,
): string[] {
  if (pageEvents.length === 0 || pageProblem !== undefined) return [];
  const events = pageEvents.filter((event) => isInEnvironment(event, urlGroupId) && event.matches(page, budget));
  return events.length === 0 ? [] : [`,"events":[${events.map(({ json }) => json).join()}]`];
}
