import { type ChecklistProgress, evaluateChecklist, parseItemTimes } from '@usher/domain';
import type { PageInteraction } from '../../../db/page-profile/columns.ts';
import type { PublishedExperience } from '../../../published/published-experience.ts';
import type { DecisionData } from './build-decision-input.ts';

/** What the items of a launcher are like for the user of a page load; undefined if they are the same for everyone. */
export function findChecklistProgress(
  { checklist }: PublishedExperience,
  interaction: PageInteraction | undefined,
  { user, matches }: DecisionData,
): ChecklistProgress | undefined {
  if (!checklist) return undefined;
  const completed = new Set(parseItemTimes(interaction?.items ?? null).keys());
  return evaluateChecklist(checklist, { ...user, matches, completed });
}
