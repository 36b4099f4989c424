import { type EventOccurrences, timeOfId, toTimestamp } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { getEventName } from '../../audience/event-names/queries.ts';
import { presentProperty } from '../../audience/properties/present-property.ts';
import { propertiesOf } from '../../audience/properties/queries.ts';

type Occurrences = EventOccurrences['occurrences'];

/** Lists the latest events of a name, which are the samples of the name, and the Properties of its events. */
export async function listOccurrences(ctx: Context, id: string): Promise<EventOccurrences> {
  const row = await getEventName(ctx, id);
  const occurrences: Occurrences = [];
  for (const { value, of } of row.samples) {
    const found = await findOccurrence(ctx, String(value), of);
    if (found) occurrences.push(found);
  }
  const props = row.event_facts?.props ?? [];
  const properties = await propertiesOf(ctx)
    .where('kind', '=', 'event')
    .where('prop', 'in', ['', ...props])
    .orderBy('prop')
    .execute();
  return {
    occurrences: occurrences.sort((one, other) => (one.id < other.id ? 1 : -1)),
    properties: properties
      .map(presentProperty)
      .map(({ id, name, prop, types, values }) => ({ id, name, prop, types, values })),
  };
}

/** An old event may be deleted, or its user cleared; a test user is in no list. */
async function findOccurrence(
  { db, account }: Context,
  id: string,
  profileId: string,
): Promise<Occurrences[number] | undefined> {
  const row = await db
    .selectFrom('events')
    .innerJoin('profiles', (join) =>
      join.onRef('profiles.account_id', '=', 'events.account_id').onRef('profiles.id', '=', 'events.profile_id'),
    )
    .select(['events.id', 'events.custom', 'profiles.id as profile_id', 'profiles.uid', 'profiles.email'])
    .where('events.account_id', '=', account.id)
    .where('events.profile_id', '=', profileId)
    .where('events.id', '=', id)
    .where('profiles.is_test', '=', false)
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      at: toTimestamp(timeOfId(row.id)),
      profile: { id: row.profile_id, uid: row.uid, email: row.email },
      properties: row.custom,
    }
  );
}
