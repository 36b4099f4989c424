import {
  type Delivery,
  emailKey,
  type Millis,
  type Target,
  timeOfId,
  toTimestamp,
  toTimestampOrNull,
} from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../context.ts';
import { FixedQuery } from '../../db/fixed-query.ts';
import type { Schema } from '../../db/schema.ts';
import { conflict, notFound } from '../../errors.ts';
import { liveVersionOf, publicationColumns } from '../../live/publication.ts';
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

const publicationOf = new FixedQuery((db, account, hole: (name: 'id' | 'kind') => never, { keepRows, noWait }) => {
  const query = db.selectFrom('experiences').select(publicationColumns).where('account_id', '=', account);
  return noWait(keepRows(query.where('id', '=', hole('id')).where('kind', '=', hole('kind'))));
});

/**
 * Refuses what cannot be delivered. The Experience stays until the transaction ends, so that whoever deletes it finds
 * the Delivery. Nobody waits for it here: one who deletes it may be waiting for the profile.
 */
export async function checkModel(ctx: Context, kind: DeliveryRow['model_kind'], id: string): Promise<void> {
  const [row] = await ctx.run(publicationOf, { id, kind });
  if (!row) throw notFound(kind);
  if (liveVersionOf(row, ctx.now()) === null) throw conflict(`The ${kind} is not live: publish it first`);
}

const profileBy = (column: 'id' | 'uid' | 'email_key') =>
  new FixedQuery((db, account, hole: (name: 'value') => never, { lockRows, noWait }) =>
    noWait(
      lockRows(
        db
          .selectFrom('profiles')
          .select(['id', 'last_seen_at', 'delivery_ids'])
          .where('account_id', '=', account)
          .where(column, '=', hole('value')),
      ),
    ),
  );
const [profileById, profileByUid, profileByEmail] = [profileBy('id'), profileBy('uid'), profileBy('email_key')];

/** The profile that a Delivery is for, held; without waiting for others who hold it. */
export async function holdProfile(
  ctx: Context,
  target: Target,
): Promise<Pick<ProfileRow, 'id' | 'last_seen_at' | 'delivery_ids'>> {
  let rows: Pick<ProfileRow, 'id' | 'last_seen_at' | 'delivery_ids'>[];
  if ('id' in target) rows = await ctx.run(profileById, { value: target.id });
  else if ('uid' in target) rows = await ctx.run(profileByUid, { value: target.uid });
  else rows = await ctx.run(profileByEmail, { value: emailKey(target.email) });
  const [row] = rows;
  if (!row) throw notFound('profile');
  return row;
}

const columns = [
  ...(['id', 'updated_at', 'model_id', 'model_kind', 'profile_id', 'idempotency_key', 'options'] as const),
  ...(['from_at', 'until_at', 'use_segmentation', 'once', 'skip_triggers', 'skip_url_match', 'group_kind'] as const),
];
type Column = (typeof columns)[number];
const insertion = new FixedQuery((db, account_id, hole: (name: Column) => never) =>
  db.insertInto('deliveries').values({
    account_id,
    ...(Object.fromEntries(columns.map((name) => [name, hole(name)])) as Record<Column, never>),
  }),
);

export async function insertDelivery(ctx: Context, given: Pick<DeliveryRow, Column>): Promise<DeliveryRow> {
  await ctx.run(insertion, { ...given, options: given.options === null ? null : JSON.stringify(given.options) });
  return {
    ...given,
    account_id: ctx.account.id,
    at: null,
    at_href: null,
    interaction_id: null,
    claimed_by: null,
    removed_at: null,
  };
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

const pendingOf = new FixedQuery((db, account, hole: (name: 'id' | 'delivery_ids' | 'updated_at') => never) =>
  db
    .updateTable('profiles')
    .set({ delivery_ids: hole('delivery_ids'), updated_at: hole('updated_at') })
    .where('account_id', '=', account)
    .where('id', '=', hole('id')),
);

/** Writes the pending Deliveries of a profile that is held, and removes those that are so no longer. Answers when. */
export async function setPending(
  ctx: Context,
  profileId: string,
  list: readonly string[],
  removed: readonly string[] = [],
): Promise<Millis> {
  const updated_at = ctx.now();
  await ctx.run(pendingOf, { id: profileId, delivery_ids: JSON.stringify(list), updated_at });
  if (removed.length === 0) return updated_at;
  await ctx.db
    .updateTable('deliveries')
    .set({ removed_at: updated_at, updated_at })
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', [...removed])
    .execute();
  return updated_at;
}
