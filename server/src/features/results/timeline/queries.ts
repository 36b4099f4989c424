import { idBelowPlace, type TimelineKind, type TimelinePlace, timeBelowPlace } from '@usher/domain';
import { type Selectable, sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import { type Moment, toDeliveryMoments, toEventMoment, toInteractionMoments, toResponseMoment } from './moments.ts';

/** Which entries of a user are looked for. */
export interface FindMoments {
  profileId: string;
  before: TimelinePlace;
  limit: number;
  kinds: ReadonlySet<TimelineKind>;
}

export type EventMoment = Pick<Selectable<Schema['events']>, 'id' | 'name' | 'custom'>;
export type ResponseMoment = Pick<Selectable<Schema['responses']>, 'id' | 'experience_id'>;
export type InteractionMoments = Pick<Selectable<Schema['interactions']>, (typeof interactionColumns)[number]>;
export type DeliveryMoments = Pick<Selectable<Schema['deliveries']>, (typeof deliveryColumns)[number]>;

const interactionColumns = [
  ...(['id', 'experience_id', 'displayed_at', 'started_at', 'completed_at', 'exited_at'] as const),
  ...(['goal_at', 'snoozed_at', 'defer_until', 'ended_by', 'items'] as const),
];
const deliveryColumns = [
  ...(['id', 'model_id', 'model_kind', 'at', 'at_href', 'removed_at', 'removed_reason'] as const),
];

/** An event happens when its row is created, so a page of events is a range of IDs. */
export function eventsBefore(ctx: Context, { profileId, before, limit }: FindMoments) {
  return ctx.db
    .selectFrom('events')
    .select(['id', 'name', 'custom'])
    .where('account_id', '=', ctx.account.id)
    .where('profile_id', '=', profileId)
    .where('id', '<', idBelowPlace(before, 'tracked'))
    .orderBy('id', 'desc')
    .limit(limit);
}

export async function findEvents(ctx: Context, find: FindMoments): Promise<Moment[]> {
  if (!find.kinds.has('tracked')) return [];
  return (await eventsBefore(ctx, find).execute()).map(toEventMoment);
}

/** What is left of a deleted Experience is never shown. */
export function responsesBefore(ctx: Context, { profileId, before, limit }: FindMoments) {
  return ctx.db
    .selectFrom('responses')
    .innerJoin('experiences', (join) =>
      join
        .onRef('experiences.account_id', '=', 'responses.account_id')
        .onRef('experiences.id', '=', 'responses.experience_id'),
    )
    .select(['responses.id', 'responses.experience_id'])
    .where('responses.account_id', '=', ctx.account.id)
    .where('responses.profile_id', '=', profileId)
    .where('responses.id', '<', idBelowPlace(before, 'answered'))
    .orderBy('responses.id', 'desc')
    .limit(limit);
}

export async function findResponses(ctx: Context, find: FindMoments): Promise<Moment[]> {
  if (!find.kinds.has('answered')) return [];
  return (await responsesBefore(ctx, find).execute()).map(toResponseMoment);
}

/** A user has at most one Interaction for each Experience. */
export function interactionsOf(ctx: Context, { profileId }: FindMoments) {
  return ctx.db
    .selectFrom('interactions')
    .innerJoin('experiences', (join) =>
      join
        .onRef('experiences.account_id', '=', 'interactions.account_id')
        .onRef('experiences.id', '=', 'interactions.experience_id'),
    )
    .select(interactionColumns.map((name) => `interactions.${name}` as const))
    .where('interactions.account_id', '=', ctx.account.id)
    .where('interactions.profile_id', '=', profileId);
}

export async function findInteractions(ctx: Context, find: FindMoments): Promise<Moment[]> {
  if (!find.kinds.has('started')) return [];
  return (await interactionsOf(ctx, find).execute()).flatMap(toInteractionMoments);
}

type DeliveryKind = Extract<TimelineKind, `delivery_${string}`>;
const deliveryKinds: readonly DeliveryKind[] = ['delivery_created', 'delivery_triggered', 'delivery_removed'];

/**
 * A user can have thousands of rows, and reading all would keep other requests waiting: the database finds the rows of
 * the page.
 */
export function deliveriesBefore(ctx: Context, { profileId, before, limit }: FindMoments, kind: DeliveryKind) {
  const query = ctx.db
    .selectFrom('deliveries')
    .select(deliveryColumns)
    .where('account_id', '=', ctx.account.id)
    .where('profile_id', '=', profileId)
    .limit(limit);
  if (kind === 'delivery_created')
    return query.where('id', '<', idBelowPlace(before, 'delivery_created')).orderBy('id', 'desc');
  const time = kind === 'delivery_triggered' ? 'at' : 'removed_at';
  const below = timeBelowPlace(before, kind);
  return query
    .where(sql<boolean>`(${sql.ref(time)}, ${sql.ref('id')}) < (${below.at}, ${below.id})`)
    .orderBy(time, 'desc')
    .orderBy('id', 'desc');
}

export async function findDeliveries(ctx: Context, find: FindMoments): Promise<Moment[]> {
  if (!find.kinds.has('delivery_created')) return [];
  const moments: Moment[] = [];
  for (const kind of deliveryKinds)
    for (const row of await deliveriesBefore(ctx, find, kind).execute())
      moments.push(...toDeliveryMoments(row).filter((moment) => moment.kind === kind));
  return moments;
}
