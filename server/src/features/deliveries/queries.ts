import { type Delivery, type Millis, timeOfId, toTimestamp, toTimestampOrNull } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../context.ts';
import type { Schema } from '../../db/schema.ts';
import { conflict, notFound } from '../../errors.ts';
import { liveVersionOf, publicationColumns } from '../experiences/queries.ts';
import type { ProfileRow } from '../profiles/queries.ts';

export type DeliveryRow = Selectable<Schema['deliveries']>;

export function presentDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    created_at: toTimestamp(timeOfId(row.id)),
    updated_at: toTimestamp(row.updated_at),
    model_id: row.model_id,
    model_kind: row.model_kind,
    profile_id: row.profile_id,
    idempotency_key: row.idempotency_key,
    options: row.options,
    from: toTimestampOrNull(row.from_at),
    until: toTimestampOrNull(row.until_at),
    use_segmentation: row.use_segmentation,
    once: row.once,
    skip_triggers: row.skip_triggers,
    skip_url_match: row.skip_url_match,
    at: toTimestampOrNull(row.at),
    at_href: row.at_href,
    interaction_id: row.interaction_id,
    group_kind: row.group_kind as Delivery['group_kind'],
  };
}

/** Those that are pending or were triggered. */
export function deliveriesOf(ctx: Context) {
  return ctx.db
    .selectFrom('deliveries')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('removed_at', 'is', null);
}

export async function getDelivery(ctx: Context, id: string): Promise<DeliveryRow> {
  const row = await deliveriesOf(ctx).where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('Delivery');
  return row;
}

/** A Delivery that may still change. Its profile is held, and with it all of its pending Deliveries. */
export async function holdPending(
  ctx: Context,
  id: string,
): Promise<{ row: DeliveryRow; profile: Pick<ProfileRow, 'id' | 'delivery_ids'> }> {
  const { profile_id } = await getDelivery(ctx, id);
  const profile = await ctx
    .lockRows(
      ctx.db
        .selectFrom('profiles')
        .select(['id', 'delivery_ids'])
        .where('account_id', '=', ctx.account.id)
        .where('id', '=', profile_id),
    )
    .executeTakeFirst();
  if (!profile) throw notFound('Delivery');
  const row = await getDelivery(ctx, id);
  if (row.at !== null) throw conflict('This Delivery was triggered already: it can no longer be changed');
  return { row, profile };
}

/** A removed one counts: its key is used for ever. */
export function findByKey(ctx: Context, profileId: string, key: string): Promise<DeliveryRow | undefined> {
  return ctx.db
    .selectFrom('deliveries')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('profile_id', '=', profileId)
    .where('idempotency_key', '=', key)
    .executeTakeFirst();
}

/**
 * Refuses what cannot be delivered. The Experience stays until the transaction ends, so that whoever deletes it finds
 * the Delivery. Nobody waits for it here: one who deletes it may be waiting for the profile.
 */
export async function checkModel(ctx: Context, kind: DeliveryRow['model_kind'], id: string): Promise<void> {
  const query = ctx.db
    .selectFrom('experiences')
    .select(publicationColumns)
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', id)
    .where('kind', '=', kind);
  const row = await ctx.noWait(ctx.keepRows(query)).executeTakeFirst();
  if (!row) throw notFound(kind);
  if (liveVersionOf(row, ctx.now()) === null) throw conflict(`The ${kind} is not live: publish it first`);
}

/** How many Deliveries may be pending for one profile. */
export async function globalLimit(ctx: Context): Promise<number> {
  const { delivery_ids_limit } = await ctx.db
    .selectFrom('accounts')
    .select('delivery_ids_limit')
    .where('id', '=', ctx.account.id)
    .executeTakeFirstOrThrow();
  return delivery_ids_limit;
}

/** Writes the pending Deliveries of a profile that is held, and removes those that are so no longer. Answers when. */
export async function setPending(
  ctx: Context,
  profileId: string,
  list: readonly string[],
  removed: readonly string[] = [],
): Promise<Millis> {
  const updated_at = ctx.now();
  await ctx.db
    .updateTable('profiles')
    .set({ delivery_ids: JSON.stringify(list), updated_at })
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', profileId)
    .execute();
  if (removed.length === 0) return updated_at;
  await ctx.db
    .updateTable('deliveries')
    .set({ removed_at: updated_at, updated_at })
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', [...removed])
    .execute();
  return updated_at;
}
