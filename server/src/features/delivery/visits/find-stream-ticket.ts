import { type Decision, waitsForEvent, waitsForEvents } from '@usher/domain';
import type { PageRequest } from '../../../pages/page-request.ts';
import { signTicket } from '../../../pages/stream-ticket.ts';
import type { PublishedExperience } from '../../../published/published-experience.ts';
import type { DecisionData } from './build-decision-input.ts';
import { findChecklistProgress } from './checklist-progress.ts';
import type { SavedPageProfile } from './save-page-profile.ts';

/** A ticket for a stream, by which the page learns of events; undefined if nothing on the page waits for one. */
export function findStreamTicket(
  { ctx }: PageRequest,
  { account, pageProfile, trust, now }: SavedPageProfile,
  data: DecisionData,
  { experiences }: Decision<PublishedExperience>,
): string | undefined {
  if (!ctx.app.pageStreams.isOn || !account.awaitsEvents(now)) return undefined;
  const hasOpenItems = experiences.some((experience) => {
    const { checklist } = experience;
    if (!checklist?.items.some(({ events }) => events.length > 0)) return false;
    const progress = findChecklistProgress(experience, pageProfile.interactions.get(experience.id), data);
    return progress !== undefined && waitsForEvents(checklist, progress);
  });
  if (!hasOpenItems && !waitsForEvent(account, data.input)) return undefined;
  const { id: profileId, wake_count } = pageProfile.row;
  const visit = { accountId: account.id, profileId, at: now, isProven: trust.proof !== 'none' };
  return signTicket(account.visitKey, visit, wake_count, now);
}
