import { findKeyCountProblems, type PageEventInput, toProfileEvent } from '@usher/domain';
import type { Context } from '../../context.ts';
import { invalid } from '../../errors.ts';
import type { VisitRequest } from '../../pages/page-request.ts';
import { lockVisitor } from '../interactions/queries.ts';
import { trackEvent } from './track-event.ts';

export async function trackPageEvent(
  { ctx, visit }: VisitRequest,
  params: PageEventInput,
): Promise<{ event: { id: string } | null }> {
  const problems = findKeyCountProblems('properties', { ...params, ...params.properties });
  if (problems.length > 0) throw invalid(...problems);
  const isLimited = !visit.isProven;
  if (isLimited && !ctx.app.pageCounts.allows(ctx.account.id, 'events')) return { event: null };
  const { idempotency_key } = params;
  const admit = (ctx: Context) => lockVisitor(ctx, visit);
  const onStored = () => isLimited && ctx.app.pageCounts.add(ctx.account.id, 'events');
  return {
    event: await trackEvent(ctx, toProfileEvent(params, visit.profileId), 'browser', {
      admit,
      idempotency_key,
      onStored,
    }),
  };
}
