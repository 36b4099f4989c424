import { ofProfile, type SentPageEvent } from '@usher/domain';
import type { Context } from '../../context.ts';
import type { VisitRequest } from '../../http/page-request.ts';
import { holdVisitor } from '../interactions/queries.ts';
import { trackEvent } from './track-event.ts';

/** An event of the user of a page. */
export async function trackPageEvent(
  { ctx, visit }: VisitRequest,
  given: SentPageEvent,
): Promise<{ event: { id: string } }> {
  const { idempotency_key } = given;
  const admit = (ctx: Context) => holdVisitor(ctx, visit);
  return { event: await trackEvent(ctx, ofProfile(given, visit.profileId), 'browser', { admit, idempotency_key }) };
}
