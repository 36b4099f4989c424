import { dayOf, daysOf, type InterruptedDays, type Millis } from '@usher/domain';
import type { Context } from '../../../context.ts';
import type { PageProfileRow } from '../../../db/page-profile/columns.ts';
import { PreparedStatement } from '../../../db/prepared-statement.ts';
import type { PublishedAccount } from '../../../published/published-account.ts';
import type { DeliveryRow } from '../deliveries/queries.ts';

const pendingDeliveries = new PreparedStatement<DeliveryRow, 'profile_id'>(`
  select * from deliveries
  where account_id = :account and profile_id = :profile_id and removed_at is null and at is null`);

/** Lists the pending Deliveries of a user in their order. */
export async function listPendingDeliveries(
  ctx: Context,
  { id, delivery_ids }: Pick<PageProfileRow, 'id' | 'delivery_ids'>,
): Promise<DeliveryRow[]> {
  if (delivery_ids.length === 0) return [];
  const byId = new Map((await ctx.run(pendingDeliveries, { profile_id: id })).map((row) => [row.id, row]));
  return delivery_ids.flatMap((deliveryId) => byId.get(deliveryId) ?? []);
}

interface EventCount {
  name: string;
  count: number;
  last_at: Millis;
}

const eventCounts = new PreparedStatement<EventCount, 'profile_id' | 'names'>(
  ({ json }) => `
    select name, count, last_at from profile_events
    where account_id = :account and profile_id = :profile_id and ${json.isAmong('name', ':names')}`,
);

/** Finds how often a user did these events. Only these are read, as a user can have any number of others. */
export async function findEventCounts(
  ctx: Context,
  { id }: Pick<PageProfileRow, 'id'>,
  names: readonly string[],
): Promise<Map<string, EventCount>> {
  const rows = await ctx.run(eventCounts, { profile_id: id, names: JSON.stringify(names) });
  return new Map(rows.map((row) => [row.name, row]));
}

const answers = new PreparedStatement<{ experience_id: string; button_index: number | null }, 'profile_id'>(`
  select experience_id, button_index from answers where account_id = :account and profile_id = :profile_id`);

/** Finds the index of the button of each answer of a user, by the ID of the survey. */
export async function findAnswers(
  ctx: Context,
  { id }: Pick<PageProfileRow, 'id'>,
): Promise<Map<string, (number | null)[]>> {
  const bySurvey = new Map<string, (number | null)[]>();
  for (const { experience_id, button_index } of await ctx.run(answers, { profile_id: id }))
    bySurvey.set(experience_id, [...(bySurvey.get(experience_id) ?? []), button_index]);
  return bySurvey;
}

const interruptedDays = new PreparedStatement<InterruptedDays['rows'][number], 'profile_id' | 'first'>(`
  select day, experience_id, steps, seconds from interruption_days
  where account_id = :account and profile_id = :profile_id and day >= :first`);

/** Finds what a user saw of interruptions, if a limit group limits that: otherwise nothing is read. */
export async function findInterrupted(
  ctx: Context,
  { limitGroups, timeZone }: Pick<PublishedAccount, 'limitGroups' | 'timeZone'>,
  { id }: Pick<PageProfileRow, 'id'>,
  now: Millis,
): Promise<InterruptedDays | undefined> {
  const limiting = limitGroups.filter(({ max_steps, max_seconds }) => max_steps !== null || max_seconds !== null);
  if (limiting.length === 0) return undefined;
  const today = dayOf(now, timeZone);
  const first = today - Math.max(...limiting.map(daysOf)) + 1;
  return { rows: await ctx.run(interruptedDays, { profile_id: id, first }), today, timeZone };
}
