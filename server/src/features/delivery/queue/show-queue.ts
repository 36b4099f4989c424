import {
  findQueueProblem,
  listLimitUses,
  listSnoozes,
  planQueue,
  presentReason,
  type Queue,
  toTimestamp,
  toTimestampOrNull,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { currentAccount } from '../../../pages/current-account.ts';
import { findPageProfileById, imaginePageLoad } from '../visits/imagine-page-load.ts';
import { listExperiences } from './list-experiences.ts';

/** Shows what a user would see next if they loaded this page now. Nothing is recorded. */
export async function showQueue(ctx: Context, profileId: string, href: string): Promise<Queue> {
  const pageProfile = await findPageProfileById(ctx, profileId);
  const account = await currentAccount(ctx, ctx.account);
  const input = await imaginePageLoad(ctx, account, pageProfile, href);
  const snoozes = listSnoozes(input);
  const named = [...input.deliveries.map(({ model_id }) => model_id), ...snoozes.map(({ id }) => id)];
  const { published, byId } = await listExperiences(ctx, named);
  const { next, rest } = planQueue(account, input, published);
  return {
    href,
    problem: findQueueProblem(input),
    next: next.flatMap(({ id, deliveryId, why }) => {
      const experience = byId.get(id);
      return experience ? { experience, delivery_id: deliveryId, why } : [];
    }),
    rest: rest.flatMap(({ id, deliveryId, reasons }) => {
      const experience = byId.get(id);
      if (!experience) return [];
      const presented = reasons.map((reason) => presentReason(reason, experience.kind));
      return { experience, delivery_id: deliveryId, reasons: presented };
    }),
    limits: listLimitUses(account, input).map(({ group, used, steps, seconds, isReached, freeAt }) => ({
      id: group.id,
      name: group.name,
      used,
      most: group.max_count,
      steps: steps ?? null,
      seconds: seconds ?? null,
      period_hours: group.period_hours,
      is_reached: isReached,
      free_at: toTimestampOrNull(freeAt),
    })),
    snoozes: snoozes.flatMap(({ id, until }) => {
      const experience = byId.get(id);
      return experience ? { experience, until: toTimestamp(until) } : [];
    }),
  };
}
