import type { Millis, RemovedReason } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import { PreparedStatement } from '../../../db/prepared-statement.ts';
import type { Schema } from '../../../db/schema.ts';
import { notFound } from '../../../errors.ts';

export type DeliveryRow = Selectable<Schema['deliveries']>;

/** Selects pending and triggered Deliveries. */
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

/** Also returns a Delivery that the server removed, so that a client that waits for it can see the reason. */
export async function getDeliveryOrRemoved(ctx: Context, id: string): Promise<DeliveryRow> {
  const row = await ctx.db
    .selectFrom('deliveries')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', id)
    .where((is) => is.or([is('removed_at', 'is', null), is('removed_reason', 'is not', null)]))
    .executeTakeFirst();
  if (!row) throw notFound('Delivery');
  return row;
}

/** Returns the pending Deliveries of a profile in the order of its list. */
export async function listPending(ctx: Context, ids: readonly string[]) {
  const rows = await ctx.db
    .selectFrom('deliveries')
    .select(['id', 'until_at'])
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', [...ids])
    .execute();
  return ids.flatMap((id) => rows.find((row) => row.id === id) ?? []);
}

/** Also finds removed Deliveries, because a key counts as used forever. */
export function findByKey(ctx: Context, profileId: string, key: string): Promise<DeliveryRow | undefined> {
  return ctx.db
    .selectFrom('deliveries')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('profile_id', '=', profileId)
    .where('idempotency_key', '=', key)
    .executeTakeFirst();
}

const insertedColumns = [
  ...(['id', 'updated_at', 'model_id', 'model_kind', 'profile_id', 'idempotency_key', 'options'] as const),
  ...(['from_at', 'until_at', 'use_segmentation', 'once', 'skip_triggers', 'skip_url_match', 'group_kind'] as const),
];
const insertStatement = new PreparedStatement<never, (typeof insertedColumns)[number]>(`
  insert into deliveries (account_id, ${insertedColumns.join(', ')})
  values (:account, ${insertedColumns.map((name) => `:${name}`).join(', ')})`);

export async function insertDelivery(ctx: Context, row: DeliveryRow): Promise<void> {
  await ctx.run(insertStatement, { ...row, options: row.options === null ? null : JSON.stringify(row.options) });
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

const updatePending = new PreparedStatement<never, 'id' | 'delivery_ids' | 'updated_at'>(`
  update profiles set delivery_ids = :delivery_ids, updated_at = :updated_at
  where account_id = :account and id = :id`);

/** Writes the pending Deliveries of a locked profile, and marks others as removed. Returns the time of the change. */
export async function setPending(
  ctx: Context,
  profileId: string,
  list: readonly string[],
  removed: readonly string[] = [],
  removed_reason: RemovedReason | null = null,
): Promise<Millis> {
  const updated_at = ctx.now();
  await ctx.run(updatePending, { id: profileId, delivery_ids: JSON.stringify(list), updated_at });
  if (removed.length === 0) return updated_at;
  await ctx.db
    .updateTable('deliveries')
    .set({ removed_at: updated_at, removed_reason, updated_at })
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', [...removed])
    .execute();
  return updated_at;
}
