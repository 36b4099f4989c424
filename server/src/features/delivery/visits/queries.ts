import type { Millis } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { PreparedQuery } from '../../../db/prepared-query.ts';
import type { VisitorRow } from '../../../db/visitor/columns.ts';
import type { DeliveryRow } from '../deliveries/queries.ts';

const pendingDeliveries = new PreparedQuery((db, account, param: (name: 'profile_id') => never) =>
  db
    .selectFrom('deliveries')
    .selectAll()
    .where('account_id', '=', account)
    .where('profile_id', '=', param('profile_id'))
    .where('removed_at', 'is', null)
    .where('at', 'is', null),
);

/** Lists the pending Deliveries of a user in their order. */
export async function listPendingDeliveries(
  ctx: Context,
  { id, delivery_ids }: Pick<VisitorRow, 'id' | 'delivery_ids'>,
): Promise<DeliveryRow[]> {
  if (delivery_ids.length === 0) return [];
  const byId = new Map((await ctx.run(pendingDeliveries, { profile_id: id })).map((row) => [row.id, row]));
  return delivery_ids.flatMap((deliveryId) => byId.get(deliveryId) ?? []);
}

const eventCounts = new PreparedQuery((db, account, param: (name: 'profile_id' | 'names') => never, { json }) =>
  db
    .selectFrom('profile_events')
    .select(['name', 'count', 'last_at'])
    .where('account_id', '=', account)
    .where('profile_id', '=', param('profile_id'))
    .where((eb) => json.isAmong(eb.ref('name'), param('names'))),
);

/** Finds how often a user did these events. Only these are read, as a user can have any number of others. */
export async function findEventCounts(
  ctx: Context,
  { id }: Pick<VisitorRow, 'id'>,
  names: readonly string[],
): Promise<Map<string, { count: number; last_at: Millis }>> {
  const rows = await ctx.run(eventCounts, { profile_id: id, names: JSON.stringify(names) });
  return new Map(rows.map((row) => [row.name, row]));
}

const answers = new PreparedQuery((db, account, param: (name: 'profile_id') => never) =>
  db
    .selectFrom('answers')
    .select(['experience_id', 'button_index'])
    .where('account_id', '=', account)
    .where('profile_id', '=', param('profile_id')),
);

/** Finds the index of the button of each answer of a user, by the ID of the survey. */
export async function findAnswers(
  ctx: Context,
  { id }: Pick<VisitorRow, 'id'>,
): Promise<Map<string, (number | null)[]>> {
  const bySurvey = new Map<string, (number | null)[]>();
  for (const { experience_id, button_index } of await ctx.run(answers, { profile_id: id }))
    bySurvey.set(experience_id, [...(bySurvey.get(experience_id) ?? []), button_index]);
  return bySurvey;
}
