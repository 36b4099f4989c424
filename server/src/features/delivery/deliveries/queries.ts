import {
  type Delivery,
  type DeliveryTarget,
  emailKey,
  type Millis,
  type RemovedReason,
  timeOfId,
  toTimestamp,
  toTimestampOrNull,
} from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import { PreparedQuery } from '../../../db/prepared-query.ts';
import type { Schema } from '../../../db/schema.ts';
import { conflict, notFound } from '../../../errors.ts';
import { type Publication, publicationColumns, publishedVersionOf } from '../../../published/publication.ts';
import type { ProfileRow } from '../../audience/profiles/queries.ts';

export type DeliveryRow = Selectable<Schema['deliveries']>;

export function presentDelivery(row: DeliveryRow): Delivery {
  const created = timeOfId(row.id);
  const created_at = toTimestamp(created);
  return {
    id: row.id,
    created_at,
    updated_at: row.updated_at === created ? created_at : toTimestamp(row.updated_at),
    model_id: row.model_id,
    model_kind: row.model_kind,
    profile_id: row.profile_id,
    idempotency_key: row.idempotency_key,
    ...presentTerms(row),
    at: toTimestampOrNull(row.at),
    at_href: row.at_href,
    interaction_id: row.interaction_id,
    group_kind: row.group_kind as Delivery['group_kind'],
    removed_at: toTimestampOrNull(row.removed_at),
    removed_reason: row.removed_reason as Delivery['removed_reason'],
  };
}

/** The terms on which a Delivery shows. */
export function presentTerms(row: DeliveryRow) {
  return {
    options: row.options,
    from: toTimestampOrNull(row.from_at),
    until: toTimestampOrNull(row.until_at),
    use_segmentation: row.use_segmentation,
    once: row.once,
    skip_triggers: row.skip_triggers,
    skip_url_match: row.skip_url_match,
  };
}

/** Selects pending and triggered Deliveries. */
export function deliveriesOf(ctx: Context) {
  return ctx.db
    .selectFrom('deliveries')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('removed_at', 'is', null);
}

async function getDelivery(ctx: Context, id: string): Promise<DeliveryRow> {
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

/** Returns a Delivery that may still change. Its profile is locked, which locks all of its pending Deliveries. */
export async function lockPending(
  ctx: Context,
  id: string,
): Promise<{ row: DeliveryRow; profile: Pick<ProfileRow, 'id' | 'delivery_ids'> }> {
  const { profile_id } = await getDelivery(ctx, id);
  const profile = await ctx.dialect
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

const selectModel = new PreparedQuery((db, account, param: (name: 'id' | 'kind') => never, { keepRows, noWait }) => {
  const query = db.selectFrom('experiences').select(publicationColumns).where('account_id', '=', account);
  return noWait(keepRows(query.where('id', '=', param('id')).where('kind', '=', param('kind'))));
});

/**
 * Rejects an Experience that cannot be delivered. It is kept until the transaction ends, so that a deletion finds the
 * Delivery. This does not wait for the lock, because a deletion that has it may be waiting for the profile.
 */
export async function checkModel(ctx: Context, kind: DeliveryRow['model_kind'], id: string): Promise<void> {
  checkLive(ctx, kind, await ctx.find(selectModel, { id, kind }));
}

export function checkLive(ctx: Context, kind: DeliveryRow['model_kind'], model: Publication | undefined): void {
  if (!model) throw notFound(kind);
  if (publishedVersionOf(model, ctx.now()) === null) throw conflict(`The ${kind} is not live: publish it first`);
}

const profileBy = (column: 'id' | 'uid' | 'email_key') =>
  new PreparedQuery((db, account, param: (name: 'value') => never, { lockRows, noWait }) =>
    noWait(
      lockRows(
        db
          .selectFrom('profiles')
          .select(['id', 'last_seen_at', 'delivery_ids'])
          .where('account_id', '=', account)
          .where(column, '=', param('value')),
      ),
    ),
  );

/** Also selects the Experience: one query instead of two. */
const profileAndModelBy = (column: 'id' | 'uid' | 'email_key') =>
  new PreparedQuery((db, account, param: (name: 'value' | 'model_id' | 'model_kind') => never, { lockJoined }) =>
    lockJoined(
      db
        .selectFrom('profiles as person')
        .innerJoin('experiences as model', 'model.account_id', 'person.account_id')
        .select(['person.id', 'person.last_seen_at', 'person.delivery_ids', ...publicationColumns])
        .where('person.account_id', '=', account)
        .where(`person.${column}`, '=', param('value'))
        .where('model.id', '=', param('model_id'))
        .where('model.kind', '=', param('model_kind')),
      'person',
      'model',
    ),
  );
const queriesBy = {
  id: { profile: profileBy('id'), both: profileAndModelBy('id') },
  uid: { profile: profileBy('uid'), both: profileAndModelBy('uid') },
  email: { profile: profileBy('email_key'), both: profileAndModelBy('email_key') },
};

/**
 * Locks the profile of a Delivery, and keeps the Experience as `checkModel` does. If another transaction has locked one
 * of them, this fails immediately.
 */
export async function lockProfile(
  ctx: Context,
  target: DeliveryTarget,
  model: Pick<DeliveryRow, 'model_id' | 'model_kind'>,
): Promise<{ profile: Pick<ProfileRow, 'id' | 'last_seen_at' | 'delivery_ids'>; model: Publication | undefined }> {
  const { model_id, model_kind } = model;
  const [column, value] = lookupOf(target);
  const both = await ctx.find(queriesBy[column].both, { value, model_id, model_kind });
  if (both) return { profile: both, model: both };
  const profile = await ctx.find(queriesBy[column].profile, { value });
  if (!profile) throw notFound('profile');
  return { profile, model: undefined };
}

function lookupOf(target: DeliveryTarget): [keyof typeof queriesBy, string] {
  if ('id' in target) return ['id', target.id];
  return 'uid' in target ? ['uid', target.uid] : ['email', emailKey(target.email)];
}

const columns = [
  ...(['id', 'updated_at', 'model_id', 'model_kind', 'profile_id', 'idempotency_key', 'options'] as const),
  ...(['from_at', 'until_at', 'use_segmentation', 'once', 'skip_triggers', 'skip_url_match', 'group_kind'] as const),
];
type Column = (typeof columns)[number];
const insertQuery = new PreparedQuery((db, account_id, param: (name: Column) => never) =>
  db.insertInto('deliveries').values({
    account_id,
    ...(Object.fromEntries(columns.map((name) => [name, param(name)])) as Record<Column, never>),
  }),
);

export async function insertDelivery(ctx: Context, row: DeliveryRow): Promise<void> {
  if (row.options === null) await ctx.run(insertQuery, row);
  else await ctx.run(insertQuery, { ...row, options: JSON.stringify(row.options) });
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

const updatePendingQuery = new PreparedQuery(
  (db, account, param: (name: 'id' | 'delivery_ids' | 'updated_at') => never) =>
    db
      .updateTable('profiles')
      .set({ delivery_ids: param('delivery_ids'), updated_at: param('updated_at') })
      .where('account_id', '=', account)
      .where('id', '=', param('id')),
);

/** Writes the pending Deliveries of a locked profile, and marks others as removed. Returns the time of the change. */
export async function setPending(
  ctx: Context,
  profileId: string,
  list: readonly string[],
  removed: readonly string[] = [],
  removed_reason: RemovedReason | null = null,
): Promise<Millis> {
  const updated_at = ctx.now();
  await ctx.run(updatePendingQuery, { id: profileId, delivery_ids: JSON.stringify(list), updated_at });
  if (removed.length === 0) return updated_at;
  await ctx.db
    .updateTable('deliveries')
    .set({ removed_at: updated_at, removed_reason, updated_at })
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', [...removed])
    .execute();
  return updated_at;
}
