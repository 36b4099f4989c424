import { isDeepStrictEqual } from 'node:util';
import { type Delivery, findDeliveryProblems, parseTarget, placeDelivery, type UpdateDelivery } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { ApiError, conflict, invalid } from '../../../errors.ts';
import { retryWhileLocked } from '../../../retry-while-locked.ts';
import { getProfile } from '../../audience/profiles/queries.ts';
import { checkModel } from './check-model.ts';
import { lockPending } from './lock-pending.ts';
import { presentDelivery } from './present-delivery.ts';
import { type DeliveryRow, findByKey, globalLimit, setPending } from './queries.ts';

/** Changes a pending Delivery, or its place among the pending ones. */
export async function updateDelivery(ctx: Context, id: string, params: UpdateDelivery): Promise<Delivery> {
  return retryWhileLocked(ctx, async (ctx) => {
    const { row, profile } = await lockPending(ctx, id);
    await checkProfile(ctx, row, params);
    await checkKey(ctx, row, params);
    if (params.model_id !== undefined || params.model_kind !== undefined)
      await checkModel(ctx, params.model_kind ?? row.model_kind, params.model_id ?? row.model_id);
    const wanted = { ...row, ...toColumns(params) };
    const problems = findDeliveryProblems(wanted);
    if (problems.length > 0) throw invalid(...problems);
    await updatePosition(ctx, id, profile, params);
    if (isDeepStrictEqual(wanted, row)) return presentDelivery(row);
    const changed = await ctx.db
      .updateTable('deliveries')
      .set({
        ...toColumns(params),
        options: wanted.options === null ? null : JSON.stringify(wanted.options),
        updated_at: ctx.now(),
      })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return presentDelivery(changed);
  });
}

async function checkProfile(ctx: Context, row: DeliveryRow, params: UpdateDelivery): Promise<void> {
  const target = parseTarget(params);
  if (!target) return;
  if ('problem' in target) throw invalid(target.problem);
  const { id } = await getProfile(ctx, target);
  if (id !== row.profile_id)
    throw invalid('A Delivery cannot be moved to another profile: cancel it and create another');
}

/** A key counts as used forever: it can be set later, but neither changed nor removed. */
async function checkKey(ctx: Context, row: DeliveryRow, { idempotency_key: key }: UpdateDelivery): Promise<void> {
  if (key === undefined || key === row.idempotency_key) return;
  if (row.idempotency_key !== null) throw invalid('`idempotency_key` counts as used for ever: it cannot be changed');
  if (key !== null && (await findByKey(ctx, row.profile_id, key)))
    throw conflict('`idempotency_key` was used for another Delivery of this profile');
}

async function updatePosition(
  ctx: Context,
  id: string,
  profile: { id: string; delivery_ids: string[] },
  { delivery_ids_position: position, delivery_ids_limit: limit, delivery_ids_at_limit: atLimit }: UpdateDelivery,
): Promise<void> {
  if (position === undefined && limit === undefined) return;
  const before = profile.delivery_ids;
  const placed = placeDelivery(
    before.filter((other) => other !== id),
    {
      id,
      position: position ?? before.indexOf(id),
      limit,
      // Nothing is added, so a limit that was lowered in the meantime is no reason to reject the update.
      globalLimit: limit === undefined ? before.length : await globalLimit(ctx),
      atLimit,
    },
  );
  if ('problem' in placed) throw new ApiError(placed.status, [placed.problem]);
  if (!isDeepStrictEqual(placed.list, before)) await setPending(ctx, profile.id, placed.list, placed.dropped);
}

type Columns = Pick<
  DeliveryRow,
  | 'model_id'
  | 'model_kind'
  | 'idempotency_key'
  | 'options'
  | 'from_at'
  | 'until_at'
  | 'use_segmentation'
  | 'once'
  | 'skip_triggers'
  | 'skip_url_match'
>;

/** Maps the parameters that are present to their columns. */
function toColumns(params: UpdateDelivery): Partial<Columns> {
  const { model_id, model_kind, idempotency_key, options, from: from_at, until: until_at } = params;
  const { use_segmentation, once, skip_triggers, skip_url_match } = params;
  const columns = {
    ...{ model_id, model_kind, idempotency_key, options, from_at, until_at },
    ...{ use_segmentation, once, skip_triggers, skip_url_match },
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}
