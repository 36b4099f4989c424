import {
  type CreateDelivery,
  type Delivery,
  describePending,
  findDeliveryProblems,
  type PlacementResult,
  parseTarget,
  placeDelivery,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { ApiError, invalid } from '../../../errors.ts';
import { retryWhileLocked } from '../../../retry-while-locked.ts';
import { checkLive } from './check-model.ts';
import { lockProfile } from './lock-profile.ts';
import { presentDelivery } from './present-delivery.ts';
import { type DeliveryRow, findByKey, globalLimit, insertDelivery, listPending, setPending } from './queries.ts';

/** Returns a new Delivery, or the one that the idempotency key was used for before, whatever its state. */
export async function createDelivery(
  ctx: Context,
  params: CreateDelivery,
): Promise<{ delivery: Delivery; created: boolean }> {
  const { model_id, model_kind, idempotency_key = null, options = null } = params;
  const { use_segmentation, once, skip_triggers, skip_url_match } = params;
  const [from_at, until_at] = [params.from ?? null, params.until ?? null];
  const target = parseTarget(params) ?? { problem: 'Give the `profile_id`, the `uid` or the `email` of the profile' };
  const problems = findDeliveryProblems({ from_at, until_at, options });
  if ('problem' in target) throw invalid(target.problem, ...problems);
  if (problems.length > 0) throw invalid(...problems);

  return retryWhileLocked(ctx, async (ctx) => {
    const { profile, model } = await lockProfile(ctx, target, params);
    const known = idempotency_key === null ? undefined : await findByKey(ctx, profile.id, idempotency_key);
    if (known) return { delivery: presentDelivery(known), created: false };
    checkLive(ctx, model_kind, model);
    if (profile.last_seen_at === null)
      throw invalid('This user was never seen on a page: a Delivery is for those who were');
    // The first Delivery fits whatever the limit of the account is, so most requests need one query less.
    const isFirst = profile.delivery_ids.length === 0 && params.delivery_ids_limit === undefined;
    const accountLimit = isFirst ? 1 : await globalLimit(ctx);
    const { account_id, id, updated_at } = (await ctx.clock()).newRow();
    const placed = placeDelivery(profile.delivery_ids, {
      id,
      position: params.delivery_ids_position,
      limit: params.delivery_ids_limit,
      globalLimit: accountLimit,
      atLimit: params.delivery_ids_at_limit,
    });
    if ('problem' in placed) throw await placementError(ctx, placed, profile.delivery_ids);
    // This is one object literal: spreading several objects took as long as storing the row.
    const row: DeliveryRow = {
      account_id,
      id,
      created_at: null,
      updated_at,
      model_id,
      model_kind,
      profile_id: profile.id,
      idempotency_key,
      options,
      from_at,
      until_at,
      use_segmentation,
      once,
      skip_triggers,
      skip_url_match,
      group_kind: 'delivery',
      at: null,
      at_href: null,
      interaction_id: null,
      claimed_by: null,
      removed_at: null,
      removed_reason: null,
    };
    await insertDelivery(ctx, row);
    await setPending(ctx, profile.id, placed.list, placed.dropped);
    return { delivery: presentDelivery(row), created: true };
  });
}

/** If the list is full, the error lists the pending Deliveries, and which of them can no longer show. */
async function placementError(
  ctx: Context,
  { status, problem }: Extract<PlacementResult, { problem: string }>,
  pending: readonly string[],
): Promise<ApiError> {
  if (status !== 409) return new ApiError(status, [problem]);
  return new ApiError(status, [problem, describePending(await listPending(ctx, pending), ctx.now())]);
}
