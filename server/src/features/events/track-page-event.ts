import { ofProfile, type SentPageEvent } from '@usher/domain';
import type { VisitRequest } from '../../http/page-request.ts';
import { holdVisitor } from '../interactions/queries.ts';
import { trackEvent } from './track-event.ts';

/** An event of the user of a page. */
export async function trackPageEvent(
  { ctx, visit }: VisitRequest,
  given: SentPageEvent,
): Promise<{ event: { id: string } }> {
  const event = await trackEvent(ctx, ofProfile(given, visit.profileId), 'browser', (ctx) => holdVisitor(ctx, visit));
  return { event };
}
